// PgBouncer between the service and PostgreSQL, in both its modes.
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/postgres/migrate.ts'
import { migrationNames } from '../../src/postgres/migrations.ts'
import { createPool } from '../../src/postgres/create-pool.ts'
import { openDatabase, type Database } from '../../src/postgres/database.ts'
import { itemDefinition, itemId, loadItems } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { revisions } from '../support/page-revisions.ts'
import { installedPgBouncer, newPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import type { PromisedService } from '../support/serve-on-fresh-database.ts'
import { startTestService } from '../support/start-test-service.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'
import { promisedOntology } from '../support/promised-ontology.ts'

const cases = [
  { mode: 'session', program: installedPgBouncer(), poolSize: 40 },
  // Fewer sessions than the service has connections, so each statement runs in a session that another one has used.
  { mode: 'transaction', program: newPgBouncer(), poolSize: 3 },
] as const

describe.each(cases)('PgBouncer in $mode mode', ({ mode, program, poolSize }) => {
  describe.skipIf(program === undefined)('in front of the database', () => {
    let direct: FreshDatabase
    let pooler: PgBouncer
    let service: PromisedService
    let database: Database

    const openPooled = (statementTimeoutSeconds: number) =>
      openDatabase(
        createPool(
          { databaseUrl: pooler.url, databasePoolSize: 10, statementTimeoutSeconds, databasePooling: mode },
          () => {},
        ),
      )

    beforeAll(async () => {
      direct = await freshDatabase()
      pooler = await startPgBouncer({ program: program ?? '', databaseUrl: direct.url, mode, poolSize })
      const client = new Client(direct.url)
      await client.connect()
      await client.query('drop schema octavo cascade')
      await client.end()
      // Two at a time: they wait for each other here too.
      const applied = await Promise.all([migrate(pooler.url), migrate(pooler.url)])
      expect(applied.flat()).toEqual(migrationNames())
      // Session settings that migrating has left in the pooler are not part of this test.
      await pooler.stop()
      pooler = await startPgBouncer({ program: program ?? '', databaseUrl: direct.url, mode, poolSize })
      const served = await startTestService({
        databaseUrl: pooler.url,
        environment: { OCTAVO_DATABASE_POOLING: mode },
        withoutAccess: true,
      })
      const beside = await startTestService({ databaseUrl: direct.url })
      const ontology = await promisedOntology(beside.store)
      database = openPooled(1)
      service = {
        ...served,
        store: beside.store,
        ontology,
        databaseUrl: direct.url,
        close: async () => {
          await served.close()
          await beside.close()
        },
      }
    })

    afterAll(async () => {
      await database.close()
      await service.close()
      await pooler.stop()
      await direct.drop()
    })

    it.each(revisions)(
      'walks of revision $name are whole, also while objects are written',
      async (revision) => {
        const name = `item${revision.name.replace('.', '')}`
        const { collection } = await loadItems(service.store, service.ontology, 300, name)
        const manage = manageOverHttp(service)
        for (const snapshot of [false, true]) {
          const walks = Array.from({ length: 6 }, (_, walker) =>
            walkOverHttp(service, revision, collection, {
              pageSize: () => 20 + walker,
              snapshot,
              orderBy: [{ property: 'rank', direction: 'asc' }],
              afterPage: async (_page, number) => {
                await manage.commit([put({ id: itemId(number), rank: (number * 7919) % 100 })], {
                  objectType: name,
                })
              },
            }),
          )
          for (const { records } of await Promise.all(walks)) {
            const ids = records.map(({ properties }) => properties['id'])
            expect(new Set(ids).size).toBe(300)
            expect(ids).toHaveLength(300)
          }
        }
      },
    )

    it('types are made and changed, with their indexes, and a type is replaced whole', async () => {
      const manage = manageOverHttp(service)
      const definition = itemDefinition('managed')
      const apply = (properties: object) =>
        manage.request('PUT', 'objectTypes/managed', { ...definition, properties })
      expect(await apply(definition.properties)).toMatchObject({ status: 201 })
      await manage.commit([put({ id: 'a', rank: 1 })], { objectType: 'managed' })
      const searchable = {
        ...definition.properties,
        rank: { type: 'integer', sortable: true, searchable: true },
      }
      expect(await apply(searchable)).toMatchObject({ status: 200 })
      // Tries the definition that this process has cached, then the new one.
      await manage.commit([put({ id: 'b', rank: 2 })], { objectType: 'managed' })
      const receipt = await manage.commit([put({ id: 'b', rank: 2 }), put({ id: 'c', rank: 3 })], {
        objectType: 'managed',
        kind: 'replace',
      })
      expect(receipt).toMatchObject({ created: 1, deleted: 1, unchanged: 1 })
    })

    const names = ['enable_seqscan', 'plan_cache_mode', 'TimeZone', 'DateStyle', 'statement_timeout']
    const shown = `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`

    it('every statement has our settings, wherever it runs, and other users of the pooler do not', async () => {
      const expected = {
        enable_seqscan: 'off',
        plan_cache_mode: 'force_generic_plan',
        TimeZone: 'UTC',
        DateStyle: 'ISO, MDY',
        statement_timeout: '1s',
      }
      const asked = [
        ...Array.from({ length: 20 }, () => database.rows({ text: shown, values: [] })),
        ...Array.from(
          { length: 20 },
          async () => (await database.pipeline([{ text: shown, values: [] }]))[0],
        ),
        ...Array.from({ length: 5 }, () =>
          database.transaction((transaction) => transaction.rows({ text: shown, values: [] })),
        ),
      ]
      for (const rows of await Promise.all(asked)) expect(rows).toEqual([expected])
      const other = new Client(pooler.url)
      await other.connect()
      const { rows } = await other.query(shown)
      await other.end()
      expect(rows[0]).toMatchObject({ enable_seqscan: 'on', statement_timeout: '0' })
    })

    const sleeping = { text: 'select pg_sleep($1::integer)::text', values: ['60'] }

    it('a page that nobody waits for is cancelled', async () => {
      const patient = openPooled(60)
      // It is the statement that is cancelled, and not the connecting.
      await patient.rows({ text: 'select 1 as one', values: [] })
      const from = performance.now()
      await expect(patient.bytes(sleeping, AbortSignal.timeout(500))).rejects.toMatchObject({ code: '57014' })
      expect(performance.now() - from).toBeLessThan(20_000)
      expect(await patient.rows({ text: 'select 1 as one', values: [] })).toEqual([{ one: '1' }])
      await patient.close()
    })

    it('a statement that takes too long is given up', async () => {
      const from = performance.now()
      await expect(database.bytes(sleeping)).rejects.toMatchObject({ code: '57014' })
      expect(performance.now() - from).toBeLessThan(20_000)
      expect(await database.rows({ text: 'select 1 as one', values: [] })).toEqual([{ one: '1' }])
    })

    it('what is built without a transaction takes as long as it needs', async () => {
      await database.run('select pg_sleep(1.5)')
      await database.run('create table octavo.probe (id integer)')
      await database.run('create index concurrently probe_id on octavo.probe (id)')
      const found = { text: "select to_regclass('octavo.probe_id') is not null as found", values: [] }
      expect(await database.rows(found)).toEqual([{ found: 't' }])
      await database.run('drop table octavo.probe')
    })
  })
})
