import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCitus } from './find-citus.ts'
import { freshDatabase } from './fresh-database.ts'
import { startCitus, type CitusCluster } from './start-citus.ts'
import { templateDatabase } from './template-database.ts'
import { withClient } from './with-client.ts'

const rowsOf = async (url: string, sql: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows)

/** Creates a distributed schema with one table of one row. */
const createNotes = (url: string, schema: string) =>
  rowsOf(
    url,
    `SET citus.enable_schema_based_sharding = on;
CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.note (id int PRIMARY KEY); INSERT INTO ${schema}.note VALUES (1)`,
  )

const portsOf = async (url: string, schema: string) =>
  rowsOf(url, `SELECT DISTINCT nodeport FROM citus_shards WHERE table_name::text LIKE '${schema}.%'`)

describe.skipIf(!(await hasCitus()))('a Citus cluster', () => {
  let citus: CitusCluster

  beforeAll(async () => {
    citus = await startCitus({ workers: 1 })
  })
  afterAll(async () => {
    await citus.stop()
  })

  it('has a coordinator and workers, which can be killed and started again', async () => {
    const [worker] = citus.workers()
    await createNotes(citus.url, 'first')
    expect(await portsOf(citus.url, 'first')).toEqual([{ nodeport: worker?.port }])
    await worker?.kill()
    await expect(rowsOf(citus.url, 'SELECT * FROM first.note')).rejects.toThrow(/connection/)
    await worker?.start()
    expect(await rowsOf(citus.url, 'SELECT * FROM first.note')).toEqual([{ id: 1 }])
  })

  it('takes a worker in, and lets one go after its schemas have been moved', async () => {
    const [before] = citus.workers()
    const added = await citus.addWorker()
    if (before !== undefined) await citus.removeWorker(before)
    expect(citus.workers()).toEqual([added])
    expect(await portsOf(citus.url, 'first')).toEqual([{ nodeport: added.port }])
    expect(await rowsOf(citus.url, 'SELECT * FROM first.note')).toEqual([{ id: 1 }])
  })

  it('gives tests databases of their own, copies of a template on every node', async () => {
    const template = await templateDatabase(citus, async (url) => {
      await createNotes(url, 'notes')
    })
    const databases = await Promise.all([1, 2].map(() => freshDatabase(template.facts)))
    const [one, other] = databases.map(({ url }) => url)
    if (one === undefined || other === undefined) throw new Error('two were asked for')
    await rowsOf(one, 'DELETE FROM notes.note')
    await createNotes(one, 'more')
    expect(await rowsOf(other, 'SELECT * FROM notes.note')).toEqual([{ id: 1 }])
    expect(await rowsOf(other, 'SELECT schema_name::text FROM citus_schemas')).toEqual([
      { schema_name: 'notes' },
    ])
    await template.drop()
    const [worker] = citus.workers()
    expect(
      await rowsOf(worker?.url ?? '', "SELECT FROM pg_database WHERE starts_with(datname, 'octavo_test_')"),
    ).toEqual([])
  })
})
