// A page of a snapshot is the same on every server that has reached its version, so replicas can read it. Everything else, and
// everything that a replica cannot answer, is read from the primary.
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { hasState } from '../../../postgres/sqlstate.ts'
import { SnapshotNotReadable } from '../state/page-clock.ts'
import type { PageRows, ReadLimits } from './page-rows.ts'
import { readPage } from './read-page.ts'
import type { Replica } from '../state/replica-choice.ts'
import type { RowSources } from '../state/row-sources.ts'

export async function readPageAnywhere(
  sources: RowSources,
  plan: PagePlan,
  limits: ReadLimits = {},
): Promise<PageRows> {
  const replica = plan.at.kind === 'snapshot' ? sources.replicas.choose(wantedBy(plan.at, plan)) : undefined
  const page = replica && (await askReplica(sources, replica, { plan, limits }))
  return page ?? readPage(sources, plan, limits)
}

type Snapshot = Extract<PagePlan['at'], { readonly kind: 'snapshot' }>

const wantedBy = ({ version }: Snapshot, { type }: PagePlan) => ({
  table: type.tables.current,
  version: BigInt(version),
})

async function askReplica(
  sources: RowSources,
  replica: Replica,
  { plan, limits }: { readonly plan: PagePlan; readonly limits: ReadLimits },
): Promise<PageRows | undefined> {
  const { replicas, observe } = sources
  const table = plan.type.tables.current
  try {
    const page = await readPage({ ...sources, database: replica.database }, plan, limits)
    replicas.arrived(replica, table)
    observe({ kind: 'replica-asked', replica: replica.name, outcome: 'read' })
    return page
  } catch (error) {
    if (limits.signal?.aborted) throw error
    // One of the page's statements was answered by a server that cannot show the version: nothing of the page is used.
    if (error instanceof SnapshotNotReadable) {
      replicas.behind(replica, { table, version: BigInt(error.reached) })
      observe({ kind: 'replica-asked', replica: replica.name, outcome: 'behind' })
      return undefined
    }
    // Either this process or the replica knows a definition that the other does not know yet: the primary decides which one is
    // current.
    if (error instanceof StaleDefinition) {
      observe({ kind: 'replica-asked', replica: replica.name, outcome: 'behind' })
      return undefined
    }
    // A page that takes long on this replica takes long anywhere, and the next page may not, so the replica stays in use.
    if (!hasState(error, 'queryCanceled')) replicas.leaveOut(replica)
    observe({ kind: 'replica-failed', replica: replica.name, error })
    return undefined
  }
}
