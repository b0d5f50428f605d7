// On a real cluster: which node statements are sent to, and what happens when ontologies move and nodes go away.
import { hasCitus, startCitus, type CitusCluster, type Cluster } from '@octavo/dev-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateDatabase } from '../../build-service.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { openClusterManagement, type ClusterManagement } from '../../manage/open-cluster-management.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { openTestStore, type TestStore } from '../../../test/support/open-test-store.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { explainDatabaseFailure } from '../explain-failure.ts'

describe.skipIf(!(await hasCitus()))('on a Citus cluster', () => {
  let citus: CitusCluster
  let store: TestStore
  let management: ClusterManagement
  /** Milliseconds that the store believes to have passed in addition. */
  let later = 0
  const types: ObjectType[] = []

  beforeAll(async () => {
    citus = await startCitus({ workers: 2 })
    await migrateDatabase(citus.url, () => {})
    store = openTestStore(
      { databaseUrl: citus.url, databasePoolSize: 8, connectSeconds: 5 },
      { elapsed: () => performance.now() + later },
    )
    management = openClusterManagement(citus.url)
    for (const apiName of ['one', 'two', 'three', 'four']) {
      const ontology = await store.applyOntology({ apiName, displayName: apiName })
      types.push(await store.applyObjectType(ontology, employeeDefinition))
    }
  })
  afterAll(async () => {
    await store.database.close()
    await management.close()
    await citus.stop()
  })

  const placed = async (type: ObjectType) => {
    const found = (await management.ontologies()).find(({ schema }) => schema === type.schema)
    if (found === undefined) throw new Error('the ontology has no place')
    return found
  }
  const nodeOf = async (type: ObjectType): Promise<Cluster> => {
    const { node } = await placed(type)
    const worker = citus.workers().find(({ host, port }) => node === `${host}:${port}`)
    if (worker === undefined) throw new Error(`${node} is not a worker`)
    return worker
  }
  /** The node that statements for the type are sent to. */
  const portAsked = async (type: ObjectType): Promise<number> => {
    const rows = await store.database
      .holding(type.schema)
      .rows({ text: "select current_setting('port') as port", values: [] })
    return Number(rows[0]?.['port'])
  }
  const commit = (type: ObjectType, age: number) =>
    store.commit({
      parts: [{ type, changes: [putObject(type, { employeeId: 'e', badge: '1', age })] }],
    })

  it('ontologies are spread, and statements go to the node that holds the schema', async () => {
    const nodes = await management.nodes()
    expect(nodes.map(({ isCoordinator }) => isCoordinator)).toEqual([true, false, false])
    expect(nodes.map(({ ontologyCount }) => ontologyCount)).toEqual([0, 2, 2])
    for (const type of types) expect(await portAsked(type)).toBe((await nodeOf(type)).port)
  })

  it('P206: after a move, the node that had the schema still answers rightly; soon the other one is asked', async () => {
    const [type] = types
    if (type === undefined) throw new Error('there is no type')
    const before = await nodeOf(type)
    const target = citus.workers().find((worker) => worker !== before)
    await commit(type, 1)
    await management.move(await placed(type), `${target?.host}:${target?.port}`)
    expect(await nodeOf(type)).toBe(target)
    const { version } = await commit(type, 2)
    expect(version).toBe('2')
    expect(await portAsked(type)).toBe(before.port)
    later += 10_000
    await portAsked(type)
    await expect.poll(() => portAsked(type)).toBe(target?.port)
    expect(await commit(type, 3)).toMatchObject({ version: '3', updated: 1 })
  })

  it('P206: a node that is down fails the requests for its ontologies at once, and no others', async () => {
    const [first] = types
    if (first === undefined) throw new Error('there is no type')
    const down = await nodeOf(first)
    const holders = await Promise.all(types.map(nodeOf))
    for (const type of types) await portAsked(type)
    await down.kill()
    try {
      for (const [i, type] of types.entries()) {
        if (holders[i] !== down) {
          await expect(commit(type, 4)).resolves.toBeDefined()
          continue
        }
        const failure = await commit(type, 4).catch((error: unknown) => explainDatabaseFailure(error))
        expect(failure).toMatchObject({ errorName: expect.stringMatching(/^(Overloaded|OutcomeUnknown)$/) })
        const startedAt = performance.now()
        await expect(portAsked(type)).rejects.toThrow()
        expect(performance.now() - startedAt).toBeLessThan(1_000)
      }
    } finally {
      await down.start()
    }
    later += 1_000
    await expect.poll(() => portAsked(first)).toBe(down.port)
  })

  it('P206: a node that is gone after its ontologies were moved is not missed', async () => {
    const [type] = types
    if (type === undefined) throw new Error('there is no type')
    const before = await nodeOf(type)
    const target = citus.workers().find((worker) => worker !== before)
    await portAsked(type)
    await management.move(await placed(type), `${target?.host}:${target?.port}`)
    await before.kill()
    try {
      // Statements under way on its connections are lost.
      await expect.poll(() => portAsked(type)).toBe(target?.port)
      await expect(commit(type, 5)).resolves.toBeDefined()
    } finally {
      await before.start()
      later += 1_000
    }
  })

  it('all nodes together get the connections that the pool size allows', async () => {
    // A node that was down is tried by one request; from then on it is up.
    for (const type of types) await portAsked(type)
    await Promise.all(
      Array.from({ length: 15 }, () => types)
        .flat()
        .map(portAsked),
    )
    expect(store.database.connections().open).toBeLessThanOrEqual(8)
  })

  it('with routing by the coordinator, the nodes are not connected to', async () => {
    const [type] = types
    if (type === undefined) throw new Error('there is no type')
    const through = openTestStore({ databaseUrl: citus.url, databaseRouting: 'coordinator' })
    try {
      await through.catalog.ontologies()
      const database = through.database.holding(type.schema)
      const rows = await database.rows({ text: "select current_setting('port') as port", values: [] })
      expect(Number(rows[0]?.['port'])).toBe(citus.coordinator.port)
      const page = await through.database.holding(type.schema).rows({
        text: `select version from ${type.tables.clock}`,
        values: [],
      })
      expect(Number(page[0]?.['version'])).toBeGreaterThan(3)
    } finally {
      await through.database.close()
    }
  })
})
