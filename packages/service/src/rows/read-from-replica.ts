// A page of a snapshot is the same wherever its version has arrived, so replicas can read it. Everything else, and
// whatever a replica cannot answer, is read from the primary.
import { StaleDefinition } from '../catalog/stale-definition.ts'
import type { GoneSignal } from '../memory/gone-signal.ts'
import type { Observe } from '../observe/observation.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { hasState } from '../postgres/sqlstate.ts'
import type { PageRows } from './page-rows.ts'
import { readRows } from './read-rows.ts'
import type { Replica, ReplicaChoice } from './replica-choice.ts'
import type { RowSources } from './row-sources.ts'

export interface ReplicaSources extends RowSources {
  readonly replicas: ReplicaChoice
  readonly observe: Observe
}

export async function readFromReplica(
  sources: ReplicaSources,
  plan: PagePlan,
  signal?: GoneSignal,
): Promise<PageRows> {
  const replica = plan.at.kind === 'snapshot' ? sources.replicas.choose(wantedBy(plan.at, plan)) : undefined
  const page = replica && (await askReplica(sources, replica, plan, signal))
  return page ?? readRows(sources, plan, signal)
}

type Snapshot = Extract<PagePlan['at'], { readonly kind: 'snapshot' }>

const wantedBy = ({ version }: Snapshot, { type }: PagePlan) => ({
  table: type.tables.current,
  version: BigInt(version),
})

async function askReplica(
  sources: ReplicaSources,
  replica: Replica,
  plan: PagePlan,
  signal: GoneSignal | undefined,
): Promise<PageRows | undefined> {
  const { replicas, observe } = sources
  try {
    const page = await readRows({ ...sources, database: replica.database }, plan, signal)
    const table = plan.type.tables.current
    const outcome = hasArrived(page.clock, plan.at) ? 'read' : 'behind'
    if (outcome === 'read') replicas.arrived(replica, table)
    else replicas.behind(replica, { table, version: BigInt(page.clock.version) })
    observe({ kind: 'replica-asked', replica: replica.name, outcome })
    return outcome === 'read' ? page : undefined
  } catch (error) {
    if (signal?.aborted) throw error
    // One of us knows a definition that the other does not know yet: the primary says whose it is.
    if (error instanceof StaleDefinition) {
      observe({ kind: 'replica-asked', replica: replica.name, outcome: 'behind' })
      return undefined
    }
    // A page that takes long here takes long anywhere; the next one may not.
    if (!hasState(error, 'queryCanceled')) replicas.leaveOut(replica)
    observe({ kind: 'replica-failed', replica: replica.name, error })
    return undefined
  }
}

/**
 * The statement saw the clock and the rows in one state, and a replica passes through the states of the primary. So a clock
 * that has reached the version stands beside all rows of it. A tag that is not the walk's is that of another history.
 */
const hasArrived = (clock: PageRows['clock'], at: PagePlan['at']): boolean =>
  at.kind === 'snapshot' &&
  BigInt(clock.version) >= BigInt(at.version) &&
  (at.tag === undefined || clock.tag === at.tag)
