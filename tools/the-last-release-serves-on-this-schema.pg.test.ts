// Code of the last release, taken from git, on a database that this code has migrated: what its instances meet in the
// middle of an upgrade. As long as there is no release (a tag v1.2.3), the last commit stands in for it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObjectType } from '../packages/service/src/catalog/object-type.ts'
import type { Store } from '../packages/service/src/open-store.ts'
import { items, loadItems, putItems } from '../packages/service/src/testing/load-items.ts'
import { openTestStore } from '../packages/service/src/testing/open-test-store.ts'
import { listing, searching, type Collection } from '../packages/service/src/testing/page-revisions.ts'
import { testKey, type TestRequest } from '../packages/service/src/testing/start-test-service.ts'
import { testToken, withTestAccess } from '../packages/service/src/testing/test-access.ts'
import { walkOverHttp } from '../packages/service/src/testing/walk-over-http.ts'

const root = join(import.meta.dirname, '..')
const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', ['-C', root, ...words], { maxBuffer: 2 ** 28 })

const lastRelease = (): string =>
  git('tag', '--list', 'v[0-9]*', '--sort=-version:refname').toString().split('\n', 1)[0] || 'HEAD'

/** Its own packages, with what is installed from elsewhere today. */
function checkOut(commit: string, folder: string): void {
  execFileSync('tar', ['--extract', '--directory', folder], { input: git('archive', commit, 'packages') })
  const installed = join(folder, 'node_modules')
  mkdirSync(join(installed, '@octavo'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@octavo') symlinkSync(join(root, 'node_modules', name), join(installed, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(installed, '@octavo', name))
  }
}

let folder: string
let database: FreshDatabase
let store: Store
let collection: Collection
let type: ObjectType
let old: ChildProcess
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-last-release-'))
  checkOut(lastRelease(), folder)
  database = await freshDatabase()
  store = await withTestAccess(openTestStore({ databaseUrl: database.url }))
  const ontology = await store.applyOntology({ apiName: 'a', displayName: 'A', apiFamilies: ['a'] })
  ;({ collection, type } = await loadItems(store, ontology, 30, 'item'))

  const main = join(folder, 'packages/service/src/main.ts')
  const child = spawn(process.execPath, ['--conditions=@octavo/source', main], {
    env: {
      OCTAVO_PORT: '0',
      OCTAVO_DATABASE_URL: database.url,
      OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  old = child
  url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The last release did not start.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: { readonly kind?: string; readonly address?: string } = JSON.parse(text)
      if (line.kind === 'service-listening') resolve(String(line.address))
    })
  })
})
afterAll(async () => {
  const ended = once(old, 'exit')
  old.kill('SIGKILL')
  await ended
  await store.database.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const served = {
  fetch: (path: string, init: TestRequest = {}) =>
    fetch(url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${testToken}` } }),
}

it('is ready', async () => {
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
})

it.for([listing, searching])('reads what this code has written (revision $name)', async (revision) => {
  const { records } = await walkOverHttp(served, revision, collection, { snapshot: true, pageSize: () => 7 })
  expect(records.map(({ properties }) => properties['id'])).toEqual(items(30).map(({ id }) => id))
})

it('reads one version to its end while this code writes the next', async () => {
  const { records } = await walkOverHttp(served, searching, collection, {
    snapshot: true,
    pageSize: () => 7,
    afterPage: (_, number) => putItems(store, type, [{ id: `i0000${number}x`, rank: 1 }]),
  })
  expect(records.map(({ properties }) => properties['id'])).toEqual(items(30).map(({ id }) => id))
})

it('writes what this code then reads', async () => {
  const before = Number((await rowsOf())[0]?.['count'])
  const { ontologyRid, objectType } = collection
  const answer = await served.fetch(
    `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}/batches`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ type: 'put', properties: { id: 'of-old-code', rank: 1 } })}\n`,
    },
  )
  expect(answer.status).toBe(200)
  expect(Number((await rowsOf())[0]?.['count'])).toBe(before + 1)
})

const rowsOf = () => store.database.rows({ text: `select count(*) from ${type.tables.current}`, values: [] })
