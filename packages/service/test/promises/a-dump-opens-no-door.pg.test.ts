// An attacker has everything in the database, and nothing else.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadItems } from '../support/load-items.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { testKey } from '../support/start-test-service.ts'
import { newTokenOf, testToken } from '../support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
let token: string
let pageToken: string
/** Every value of every table of the service, as text. */
let dump: readonly string[]

beforeAll(async () => {
  const { collection } = await loadItems(service.store, service.ontology, 3, 'item')
  ;({ token } = await newTokenOf(service.store, { subject: 'ada' }))
  const list = `/api/v1/ontologies/${collection.ontologyRid}/objects/item`
  const page: { readonly nextPageToken: string } = JSON.parse(
    await (await service.fetch(`${list}?pageSize=1&snapshot=true`)).text(),
  )
  pageToken = page.nextPageToken
  const { database } = service.store
  const count = async () => (await database.rows({ text: 'select id from octavo.audit', values: [] })).length
  await vi.waitUntil(async () => (await count()) > 0, 60_000)

  const tables = await database.rows({
    text: "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'octavo%'",
    values: [],
  })
  const values: string[] = []
  for (const { name } of tables) {
    for (const row of await database.rows({ text: `select * from ${name}`, values: [] })) {
      values.push(...Object.values(row).filter((value) => value !== null))
    }
  }
  dump = values
})

it('a dump holds the objects', () => {
  expect(dump.some((value) => value.includes('Item \\"1\\" ü'))).toBe(true)
})

it('a dump holds no credential that is accepted', async () => {
  const signIn = async (credentials: string): Promise<number> =>
    (await service.fetch('/api/v1/ontologies', { headers: { authorization: `Bearer ${credentials}` } }))
      .status
  expect(await signIn(token)).toBe(200)
  const texts = [...new Set(dump)].filter((value) => /^[\x21-\x7e]{8,200}$/.test(value))
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts) {
    expect(await signIn(text)).toBe(401)
    expect(await signIn(`oct_${text}`)).toBe(401)
  }
})

it('a dump holds no key and no page token', () => {
  const everything = dump.join('\n')
  const key = testKey('a', 1).slice('a:'.length)
  const secrets = [token, testToken, pageToken, key, Buffer.from(key, 'base64url').toString('hex')]
  for (const secret of secrets) expect(everything).not.toContain(secret)
})
