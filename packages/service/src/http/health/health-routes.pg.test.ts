import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildService, type Service } from '../../build-service.ts'
import { serveOptions } from '../../config/options.ts'
import { readOptions } from '../../config/read-options.ts'
import type { Observation } from '../../observe/observation.ts'
import { migrationNames } from '../../postgres/migrations.ts'

const database = forEachTest(freshDatabase)
let service: Service
let observations: Observation[]

beforeEach(async () => {
  observations = []
})

afterEach(() => service.close())

const start = (databaseUrl: string): Promise<string> => {
  const read = readOptions(serveOptions, ['--port=0'], {
    OCTAVO_DATABASE_URL: databaseUrl,
    OCTAVO_PAGE_TOKEN_KEYS: `a:${Buffer.alloc(32).toString('base64url')}`,
  })
  if (read.kind !== 'read') throw new Error(JSON.stringify(read))
  service = buildService(read.options, (observation) => observations.push(observation))
  return service.listen()
}

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, body: await response.json() }
}

const query = async (sql: string) => {
  const client = new Client(database.url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

it('P160: is live and ready on a migrated database', async () => {
  const address = await start(database.url)
  expect(await get(`${address}/health/live`)).toEqual({ status: 200, body: { status: 'live' } })
  expect(await get(`${address}/health/ready`)).toEqual({ status: 200, body: { status: 'ready' } })
})

it('P160: is live but not ready on a database that is not migrated, until it is', async () => {
  await query('alter schema octavo rename to away')
  const address = await start(database.url)
  expect(await get(`${address}/health/live`)).toMatchObject({ status: 200 })
  expect(await get(`${address}/health/ready`)).toEqual({
    status: 503,
    body: {
      status: 'unready',
      reasons: [
        {
          name: 'database-not-migrated',
          description: `The database lacks ${migrationNames().join(', ')}; run migrate.`,
        },
      ],
    },
  })
  await query('alter schema away rename to octavo')
  expect(await get(`${address}/health/ready`)).toMatchObject({ status: 200 })
})

it('P160: is live but not ready when the database does not answer', async () => {
  const nowhere = 'postgres://user:hush@127.0.0.1:1/octavo'
  const address = await start(nowhere)
  expect(await get(`${address}/health/live`)).toMatchObject({ status: 200 })
  expect(await get(`${address}/health/ready`)).toEqual({
    status: 503,
    body: {
      status: 'unready',
      reasons: [
        {
          name: 'database-unreachable',
          description:
            'The database does not answer (ECONNREFUSED); check that it runs and that database-url is right.',
        },
      ],
    },
  })
})

it('observes only changes of readiness, however often it is asked', async () => {
  const address = await start(database.url)
  for (let asked = 0; asked < 3; asked += 1) await get(`${address}/health/ready`)
  await query('alter schema octavo rename to away')
  for (let asked = 0; asked < 3; asked += 1) await get(`${address}/health/ready`)
  await query('alter schema away rename to octavo')
  expect(observations.map(({ kind }) => kind)).toEqual([
    'service-listening',
    'readiness-gained',
    'readiness-lost',
  ])
})
