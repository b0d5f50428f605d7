// Everything private of the driver that this package uses. If one of these tests fails after an upgrade of `pg`, first read what
// changed there: the other tests may pass by chance.
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Client, Connection, Query } from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { prepareValue } from 'pg/lib/utils.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForBytes, BytesClient } from './bytes-client.ts'
import { BytesQuery } from './bytes-query.ts'
import { firstRow } from './row-columns.ts'

let database: FreshDatabase
let client: BytesClient

beforeAll(async () => {
  database = await freshDatabase()
  client = new BytesClient({ connectionString: database.url, query_timeout: 12_345 })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const named = (name: string, text: string, ...values: readonly unknown[]) => ({ name, text, values })
const privateOf = (thing: object): Record<string, unknown> => thing as unknown as Record<string, unknown>

it('a client has a connection whose stream can be replaced before it connects, and tells which query is answered', () => {
  const own = new Client(database.url)
  expect(privateOf(own)).toMatchObject({
    connection: {
      stream: expect.anything() as object,
      ssl: false,
      attachListeners: expect.any(Function) as () => void,
      emit: expect.any(Function) as () => void,
    },
    _getActiveQuery: expect.any(Function) as () => unknown,
    connectionParameters: expect.objectContaining({ query_timeout: expect.anything() as number }) as object,
  })
})

it('a connected client has what a cancel needs', () => {
  expect(privateOf(client)).toMatchObject({
    processID: expect.any(Number) as number,
    secretKey: expect.any(Number) as number,
    host: expect.any(String) as string,
    port: expect.any(Number) as number,
  })
  for (const method of ['connect', 'requestSsl', 'cancel'])
    expect(privateOf(new Connection())[method]).toBeTypeOf('function')
})

it('a query is prepared by itself, and knows what its connection has parsed', () => {
  const query = privateOf(new Query('select 1'))
  for (const method of ['requiresPreparation', 'prepare', 'hasBeenParsed', 'handleReadyForQuery'])
    expect(query[method]).toBeTypeOf('function')
})

it('the parser reads one message at a time', () => {
  const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
  const { handlePacket } = privateOf(new Parser())
  expect(handlePacket).toBeTypeOf('function')
  const parser = new Parser() as unknown as { readonly handlePacket: (...message: unknown[]) => object }
  expect(parser.handlePacket(5, 0x5a, 5, readyForQuery)).toMatchObject({ name: 'readyForQuery' })
})

it('a value is written as the driver writes it', () => {
  expect([prepareValue(7), prepareValue(null), prepareValue(['a', null])]).toEqual(['7', null, '{"a",NULL}'])
})

it('a statement is parsed once for a connection, under its name', async () => {
  const { connection } = client as unknown as {
    readonly connection: { parsedStatements: Record<string, string> }
  }
  for (let i = 0; i < 2; i += 1) {
    const { takeRow, row } = firstRow()
    await askForBytes(client, new BytesQuery(named('once', 'select $1::text', 'a'), takeRow))
    expect(row()?.map(String)).toEqual(['a'])
  }
  expect(connection.parsedStatements['once']).toBe('select $1::text')
  const { rows } = await client.query(
    `select count(*)::int as count from pg_prepared_statements where name = 'once'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

it('the time that the driver gives a statement is taken from its settings when it is sent, and is as before afterwards', async () => {
  const settings = () => privateOf(client)['connectionParameters']
  const asked = askForBytes(client, new BytesQuery(named('slow', 'select pg_sleep(0.05)::text'), () => {}))
  expect(settings()).toMatchObject({ query_timeout: 12_345 })
  await asked
})
