// A pair of servers, two instances, writers and followers; all of them end with the run.
import { migrateDatabase } from '@octavo/service'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { struckDefinition } from '../harness/faults/fault-objects.ts'
import type { Answering } from '../harness/faults/recovery.ts'
import { startCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts'
import { withTemporaryFolder } from '../harness/end-with-us.ts'
import type { ObjectType } from '../../packages/service/test/inside.ts'
import { startFollowerInstances, type FollowerInstances } from './follower-instances.ts'
import { startFollowedLoad, type FollowedLoad } from './follower-load.ts'
import type { Mutation } from './follower-order.ts'
import { startPair, type FollowerPair } from './follower-pair.ts'

export interface FollowerRun {
  readonly pair: FollowerPair
  readonly instances: FollowerInstances
  readonly databaseConnections: CuttingProxy
  readonly load: FollowedLoad
  readonly type: ObjectType
  readonly answering: Answering
  readonly random: Random
}

interface RunSettings {
  readonly kind: 'synchronous' | 'asynchronous'
  readonly seed: number
  readonly mutations: readonly Mutation[]
}

const apiFamily = 'proof'

export async function withFollowerRun(
  { kind, seed, mutations }: RunSettings,
  use: (run: FollowerRun) => Promise<void>,
): Promise<FollowedLoad> {
  await using ends = new AsyncDisposableStack()
  const pair = await startPair(kind)
  ends.defer(pair.stop)
  await migrateDatabase(pair.url, () => {})
  const databaseConnections = await startCuttingProxy(pair.port)
  ends.defer(databaseConnections.close)
  const through = new URL(pair.url)
  through.port = new URL(databaseConnections.url).port
  const store = await withTestAccess(openTestStore({ databaseUrl: through.href }))
  ends.defer(() => store.database.close())
  const ontology = await store.applyOntology({
    apiName: 'proof',
    displayName: 'Proof',
    apiFamilies: [apiFamily],
  })
  const type = await store.applyObjectType(ontology, struckDefinition)
  const random = randomFrom(seed)
  const instances = await startFollowerInstances(through.href, random)
  ends.defer(instances.stop)
  const { url } = instances.connections
  // Awaited here: everything ends when this function does.
  return await withTemporaryFolder(async (folder) => {
    const load = await startFollowedLoad({
      url,
      ontologyRid: ontology.rid,
      apiFamily,
      type,
      store,
      seed,
      folder,
      losesCommits: kind === 'asynchronous',
      mutations,
    })
    const answering = { url, ontologyRid: ontology.rid, objectType: type.apiName, commits: load.commits }
    try {
      await use({ pair, instances, databaseConnections, load, type, answering, random })
      await load.end()
      return load
    } finally {
      await load.stop()
    }
  })
}
