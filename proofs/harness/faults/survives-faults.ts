// One run: a database, three instances behind HAProxy, a mixed load, and faults; then checks that every acknowledged commit
// is still there.
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, Store } from '../../../packages/service/test/inside.ts'
import { openTestStore } from '../../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../../packages/service/test/support/test-access.ts'
import { randomFrom } from '../random.ts'
import { startCuttingProxy } from '../cutting-proxy.ts'
import { expect, type Proof } from '../prove.ts'
import type { DatabaseUnderTest } from './database-under-test.ts'
import { struckDefinition } from './fault-objects.ts'
import { faultsOf } from './faults.ts'
import { startInstances } from './instances.ts'
import { startMixedLoad, type MixedLoad } from './mixed-load.ts'
import { inSeconds, sayFaults, strikeContinuously, worstOfDatabase } from './strike-continuously.ts'

export interface FaultRun {
  readonly seed: number
  readonly seconds: number
  /** Faults of each kind that must have struck while requests were in flight. */
  readonly atLeast: number
  /** The default is all. */
  readonly only?: readonly string[]
}

const mostRecoveryMilliseconds = 10_000
const apiFamily = 'proof'

export async function survivesFaults(
  proof: Proof,
  database: DatabaseUnderTest,
  run: FaultRun,
): Promise<string> {
  await migrateDatabase(database.url, () => {})
  const store = await withTestAccess(openTestStore({ databaseUrl: database.url }))
  const databaseConnections = await startCuttingProxy(Number(new URL(database.url).port))
  try {
    const ontology = await store.applyOntology({
      apiName: 'proof',
      displayName: 'Proof',
      apiFamilies: [apiFamily],
    })
    const type = await store.applyObjectType(ontology, struckDefinition)
    const through = new URL(database.url)
    through.port = new URL(databaseConnections.url).port
    const instances = await startInstances(through.href, { OCTAVO_STOP_GRACE_SECONDS: '10' })
    const clientConnections = await startCuttingProxy(instances.port)
    try {
      const { url } = clientConnections
      const random = randomFrom(run.seed)
      const load = await startMixedLoad({
        url,
        ontologyRid: ontology.rid,
        apiFamily,
        type,
        store,
        seed: run.seed,
        pauseMilliseconds: 60,
        pagePauseMilliseconds: 20,
        pruning: { retentionSeconds: 2, everyMilliseconds: 50 },
      })
      const all = faultsOf({ random, instances, database, clientConnections, databaseConnections })
      const { only } = run
      const faults = only === undefined ? all : all.filter(({ name }) => only.includes(name))
      const answering = {
        url,
        ontologyRid: ontology.rid,
        objectType: type.apiName,
        commits: () => load.tally.commits,
      }
      const records = await strikeContinuously(proof, { ...run, faults, random, load, answering })
      await load.end()
      sayFaults(proof, records)
      sayLoad(proof, load)
      await expectNothingLost(store, type, load)
      const { tally } = load
      expect(tally.wrong.length === 0, `${tally.wrong.length} walks were not exact: ${tally.wrong[0]}`)
      // Only pruning may end a walk. Rotated keys still open every token, and a page that the client refuses is a wrong
      // page.
      const { ConsistentSnapshotError: _, ...others } = Object.fromEntries(tally.restarted)
      expect(Object.keys(others).length === 0, `walks ended with ${JSON.stringify(others)}`)
      for (const [{ name }, { hit }] of records) {
        expect(hit >= run.atLeast, `${name} struck only ${hit} times while requests were under way`)
      }
      expect(tally.prunedRows > 0, 'nothing was pruned')
      const worst = worstOfDatabase(records)
      expect(worst <= mostRecoveryMilliseconds, `the service took ${inSeconds(worst)} to answer again`)
      return (
        `${tally.commits.toLocaleString('en')} commits acknowledged, 0 lost; ${tally.snapshotWalks} snapshot walks and ` +
        `${tally.latestWalks} latest walks of ${tally.objects.toLocaleString('en')} objects ended without an error, 0 not exact; ` +
        `${sum(tally.restarted)} walks had to begin again; worst time to answer after the database: ${inSeconds(worst)}`
      )
    } finally {
      await clientConnections.close()
      await instances.stop()
    }
  } finally {
    await databaseConnections.close()
    await store.database.close()
  }
}

/** Each acknowledged commit is there once, with the version of its receipt, and there is no other. */
async function expectNothingLost(store: Store, type: ObjectType, { oracle }: MixedLoad): Promise<void> {
  const rows = await store.database.rows({
    text: `select version, idempotency_key as key from ${type.tables.commits} where object_type = $1 and version > 0`,
    values: [type.id],
  })
  const there = new Map(rows.map(({ key, version }) => [key, Number(version)]))
  const lost = oracle.acknowledged.filter(
    ({ idempotencyKey, version }) => there.get(idempotencyKey) !== version,
  )
  expect(
    lost.length === 0,
    `${lost.length} acknowledged commits were lost, the first with version ${lost[0]?.version}`,
  )
  expect(oracle.problems.length === 0, `${oracle.problems[0]}`)
  expect(
    rows.length === oracle.acknowledged.length && oracle.known === rows.length,
    `${rows.length} commits are there, ${oracle.acknowledged.length} were acknowledged, the first ${oracle.known} without a gap`,
  )
  const objects = await store.database.rows({
    text: `select pk, ('{' || scalars || '}')::json ->> 'edition' as edition from ${type.tables.current}`,
    values: [],
  })
  const current = new Map(objects.map(({ pk, edition }) => [pk, Number(edition)]))
  const expected = oracle.editionsAt(oracle.known)
  const wrong = expected.filter(({ key, edition }) => current.get(key) !== edition)
  expect(
    wrong.length === 0 && current.size === expected.length,
    `the objects are not what the commits made: ${current.size} instead of ${expected.length}, ${wrong.length} of another edition`,
  )
}

function sayLoad(proof: Proof, { tally }: MixedLoad): void {
  proof.say(
    `commits without an answer at first: ${listed(tally.unanswered)}; ${tally.replayed} were found to be there already`,
  )
  proof.say(`walks interrupted and continued: ${listed(tally.interrupted)}`)
  proof.say(`walks begun again: ${listed(tally.restarted)}`)
  proof.say(`${tally.prunedRows.toLocaleString('en')} rows of history pruned meanwhile`)
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  counts.size === 0 ? 'none' : [...counts].map(([name, count]) => `${name} ${count}`).join(', ')

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0)
