// During an upgrade, instances use a database that is older than their code, or newer.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '@octavo/dev-database'
import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/postgres/migrate.ts'
import { migrationNames, migrationsFolder } from '../../src/postgres/migrations.ts'
import { items, loadItems, putItems } from '../support/load-items.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { listing, searching, type Collection } from '../support/page-revisions.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { withTestAccess } from '../support/test-access.ts'
import { askForPage, walkOverHttp } from '../support/walk-over-http.ts'

const database = forEachTest(freshDatabase)
let service: TestService | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

const run = async (...statements: readonly string[]): Promise<void> => {
  const client = new Client(database.url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const readiness = async ({ url }: TestService) => {
  const response = await fetch(`${url}/health/ready`)
  return { status: response.status, body: await response.json() }
}

const keysOf = async (from: TestService, collection: Collection) => {
  const { records } = await walkOverHttp(from, listing, collection, { snapshot: true, pageSize: () => 7 })
  return records.map(({ properties }) => properties['id'])
}

/** What migrate would have left if the code had only this many migrations. */
const migrateOnlyFirst = (count: number) =>
  run(
    'drop schema octavo cascade',
    'create schema octavo',
    'create table octavo.migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
    ...migrationNames()
      .slice(0, count)
      .flatMap((name) => [
        readFileSync(join(migrationsFolder, `${name}.sql`), 'utf8'),
        `insert into octavo.migrations (name, run_on) values ('${name}', now())`,
      ]),
  )

const each = migrationNames().map((_, applied) => applied)

describe('a database that is older than the code', () => {
  it.for(each)(
    'P162: with %i migrations it is not ready, says which are missing, and becomes ready once they are there',
    async (applied) => {
      await migrateOnlyFirst(applied)
      service = await startTestService({ databaseUrl: database.url, withoutAccess: true })
      const missing = migrationNames().slice(applied)
      expect(await readiness(service)).toEqual({
        status: 503,
        body: {
          status: 'unready',
          reasons: [
            {
              name: 'database-not-migrated',
              description: `The database lacks ${missing.join(', ')}; run migrate.`,
            },
          ],
        },
      })
      const nobodys = { ontologyRid: 'ri.ontology.main.ontology.x', apiFamily: 'x', objectType: 'x' }
      const { status } = await askForPage(service, listing, nobodys)
      // The service cannot look up the caller.
      expect(status).toBe(503)

      expect(await migrate(database.url)).toEqual(missing)
      expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
      const store = await withTestAccess(openTestStore({ databaseUrl: database.url }))
      const ontology = await store.applyOntology({ apiName: 'a', displayName: 'A', apiFamilies: ['a'] })
      const { collection } = await loadItems(store, ontology, 20, 'item')
      await store.database.close()
      expect(await keysOf(service, collection)).toEqual(items(20).map(({ id }) => id))
    },
  )

  it('P162: pages that it can still answer are right', async () => {
    service = await startTestService({ databaseUrl: database.url })
    const ontology = await service.store.applyOntology({ apiName: 'a', displayName: 'A', apiFamilies: ['a'] })
    const { collection } = await loadItems(service.store, ontology, 20, 'item')
    // As if a migration had not run yet that pages do not need.
    await run('drop table octavo.audit', 'delete from octavo.migrations')
    expect((await readiness(service)).status).toBe(503)
    expect(await keysOf(service, collection)).toEqual(items(20).map(({ id }) => id))
  })
})

describe('a database that is newer than the code', () => {
  it('P162: serves as before, and says that it is ready', async () => {
    service = await startTestService({ databaseUrl: database.url })
    const ontology = await service.store.applyOntology({ apiName: 'a', displayName: 'A', apiFamilies: ['a'] })
    const { collection, type } = await loadItems(service.store, ontology, 20, 'item')
    const tables = [
      'ontologies',
      'api_families',
      'registry_version',
      'access_tokens',
      'grants',
      'access_version',
      'audit',
    ]
    // All that a migration may do to existing tables, applied to each of them while an instance runs.
    await run(
      ...tables.map(
        (table) =>
          `alter table octavo.${table} add column later text not null default 'x', add column last integer`,
      ),
      'create table octavo.later (id text primary key)',
      'create index later_audit on octavo.audit (later)',
      `insert into octavo.migrations (name, run_on) values ('9999_later', now())`,
    )
    expect(await readiness(service)).toEqual({ status: 200, body: { status: 'ready' } })
    expect(await keysOf(service, collection)).toEqual(items(20).map(({ id }) => id))
    await putItems(service.store, type, [{ id: 'z', rank: 1 }])
    await service.store.applyOntology({ apiName: 'b', displayName: 'B', apiFamilies: ['b'] })
    expect(await keysOf(service, collection)).toHaveLength(21)
    const page = await askForPage(service, searching, collection, { pageSize: 5 })
    expect(page.status).toBe(200)
    await expect
      .poll(() => service?.store.database.rows({ text: 'select at from octavo.audit', values: [] }))
      .not.toEqual([])
    expect(service.observations.filter(({ kind }) => kind === 'audit-not-written')).toEqual([])
  })
})

it('P162: started before its database, and that before migrate, it becomes ready without a restart', async () => {
  const cluster = await startCluster()
  try {
    await cluster.kill()
    service = await startTestService({ databaseUrl: cluster.url, withoutAccess: true })
    expect(await readiness(service)).toMatchObject({ body: { reasons: [{ name: 'database-unreachable' }] } })
    await cluster.start()
    await expect
      .poll(() => service && readiness(service))
      .toMatchObject({ status: 503, body: { reasons: [{ name: 'database-not-migrated' }] } })
    await migrate(cluster.url)
    await expect.poll(() => service && readiness(service)).toMatchObject({ status: 200 })
  } finally {
    await service?.close()
    service = undefined
    await cluster.stop()
  }
})
