// The database is restored from a backup and written again. Tokens from between must not mix the two histories.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '@octavo/dev-database'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { loadItems, putItems } from '../support/load-items.ts'
import { searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { newTokenOf } from '../support/test-access.ts'
import { askForPage, readPage } from '../support/walk-over-http.ts'

let folder: string
let before: PromisedService
let restoredDatabase: FreshDatabase
let restored: TestService
let collection: Collection

interface Seen {
  readonly pageToken: string
  /** The next page as it was before the restore. */
  readonly next: string
}

let keptWalk: Seen
let lostWalk: Seen
let latestWalk: Seen
let lateToken: string
let revokedToken: string

const startWalk = async (snapshot: boolean): Promise<Seen> => {
  const { nextPageToken = '' } = await readPage(before, searching, collection, { pageSize: 5, snapshot })
  const { text } = await askForPage(before, searching, collection, {
    pageSize: 5,
    snapshot,
    pageToken: nextPageToken,
  })
  return { pageToken: nextPageToken, next: text }
}

const goOn = ({ pageToken }: Seen, snapshot: boolean) =>
  askForPage(restored, searching, collection, { pageSize: 5, snapshot, pageToken })

const dataOf = (text: string): unknown => (JSON.parse(text) as { readonly data: unknown }).data

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-restore-'))
  const binaries = await findBinaries()
  const run = (program: string, words: readonly string[]) =>
    execFileSync(join(binaries.folder, program), words, { stdio: 'pipe' })

  before = await serveOnFreshDatabase()
  const loaded = await loadItems(before.store, before.ontology, 25, 'item')
  ;({ collection } = loaded)
  keptWalk = await startWalk(true)
  const revoked = await newTokenOf(before.store, { subject: 'grace' })
  revokedToken = revoked.token
  const dump = join(folder, 'octavo.dump')
  run('pg_dump', ['--format=custom', `--file=${dump}`, before.databaseUrl])

  await putItems(before.store, loaded.type, [{ id: 'i000007', rank: 1, label: 'lost' }])
  lostWalk = await startWalk(true)
  latestWalk = await startWalk(false)
  ;({ token: lateToken } = await newTokenOf(before.store, { subject: 'ada' }))
  await revokeAccessToken(before.store.database, revoked.id, new Date())

  restoredDatabase = await freshDatabase()
  const client = new Client(restoredDatabase.url)
  await client.connect()
  await client.query('drop schema octavo cascade')
  await client.end()
  run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restoredDatabase.url}`, dump])
  restored = await startTestService({ databaseUrl: restoredDatabase.url })
})
afterAll(async () => {
  await restored.close()
  await before.close()
  await restoredDatabase.drop()
  rmSync(folder, { recursive: true })
})

it('P36: a walk of a version that the backup contains continues, byte for byte', async () => {
  const { status, text } = await goOn(keptWalk, true)
  expect(status).toBe(200)
  expect(JSON.stringify(dataOf(text))).toBe(JSON.stringify(dataOf(keptWalk.next)))
})

it('P36: a walk of a version that was lost is refused, also once its number is given out again', async () => {
  const refusal = { errorName: 'ConsistentSnapshotError' }
  expect(JSON.parse((await goOn(lostWalk, true)).text)).toMatchObject(refusal)

  const [ontology] = await restored.store.catalog.ontologies()
  const type = ontology && (await restored.store.catalog.objectType(ontology, 'item'))
  if (type === undefined) throw new Error('the type was not restored')
  await putItems(restored.store, type, [{ id: 'i000007', rank: 2, label: 'written again' }])
  const again = await readPage(restored, searching, collection, { snapshot: true })
  expect(again.version).toBe((JSON.parse(lostWalk.next) as { readonly version: string }).version)
  expect(JSON.parse((await goOn(lostWalk, true)).text)).toMatchObject(refusal)
})

it('P32: a walk of the latest data continues with the current data', async () => {
  const { status, text } = await goOn(latestWalk, false)
  expect(status).toBe(200)
  expect(text).toContain('written again')
})

it('access tokens made after the backup are gone, and those revoked after it are back', async () => {
  const statusOf = async (token: string) =>
    (await restored.fetch('/api/v1/ontologies', { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusOf(lateToken)).toBe(401)
  expect(await statusOf(revokedToken)).toBe(200)
})
