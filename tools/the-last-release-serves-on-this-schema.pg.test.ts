// Code of the last release, taken from git, on a database that this code has migrated: the situation of its instances in the
// middle of an upgrade.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ObjectType, Store } from '../packages/service/test/inside.ts'
import { items, loadItems, putItems } from '../packages/service/test/support/load-items.ts'
import { openTestStore } from '../packages/service/test/support/open-test-store.ts'
import { listing, searching, type Collection } from '../packages/service/test/support/page-revisions.ts'
import { testKey, type TestRequest } from '../packages/service/test/support/start-test-service.ts'
import { testToken, withTestAccess } from '../packages/service/test/support/test-access.ts'
import { walkOverHttp } from '../packages/service/test/support/walk-over-http.ts'
import { checkOutCommit, type CheckedOut } from './check-out-commit.ts'
import { lastRelease } from './release/last-release.ts'

const root = join(import.meta.dirname, '..')
let release: CheckedOut
let database: FreshDatabase
let store: Store
let collection: Collection
let type: ObjectType
let old: ChildProcess
let url: string

// Until there is one, layouts and the wire change without a step from the one before.
const isThere = existsSync(join(root, '.last-release'))

describe.skipIf(!isThere)('the last release', () => {
  beforeAll(async () => {
    release = checkOutCommit(lastRelease(root))
    database = await freshDatabase()
    store = await withTestAccess(openTestStore({ databaseUrl: database.url }))
    const ontology = await store.applyOntology({ apiName: 'a', displayName: 'A', apiFamilies: ['a'] })
    ;({ collection, type } = await loadItems(store, ontology, 30, 'item'))

    const main = join(release.folder, 'packages/service/src/main.ts')
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
    release.remove()
  })

  const served = {
    fetch: (path: string, init: TestRequest = {}) =>
      fetch(url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${testToken}` } }),
  }

  it('is ready', async () => {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  })

  it.for([listing, searching])('reads what this code has written (revision $name)', async (revision) => {
    const { records } = await walkOverHttp(served, revision, collection, {
      snapshot: true,
      pageSize: () => 7,
    })
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

  const rowsOf = () =>
    store.database.rows({ text: `select count(*) from ${type.tables.current}`, values: [] })
})
