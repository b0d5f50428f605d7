// Which epochs of history (catalog/epochs.ts) a page at a version reads. The statement must name them, and the clock that it
// returns says which ones it should have named: if some are missing, the page is read again. So a page never depends on what
// this process believed.
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { EpochRange, PagePlan, PointInTime } from '../../plan/page-plan.ts'
import { askClock } from './ask-clock.ts'
import type { PageClock } from './page-clock.ts'
import { nothingSeen, type RowSources } from './row-sources.ts'

/** What is read, and in which state. */
type Reading = Pick<PagePlan, 'type' | 'at'>

type Snapshot = Extract<PointInTime, { readonly kind: 'snapshot' }>

/** The number of epochs is part of a statement's text, so there are only a few of them. Empty epochs cost little. */
const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]

const nameOf = ({ tables }: ObjectType, { version, tag }: Pick<Snapshot, 'version' | 'tag'>): string =>
  `${tables.current} ${version} ${tag}`

/** The plan with the epochs that it has to read, as far as this process knows them. What it does not know at all, it asks for. */
export async function withEpochs<Plan extends Reading>(
  sources: RowSources,
  plan: Plan,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const { at, type } = plan
  if (at.kind !== 'snapshot') return plan
  const seen = sources.seen.get(type.tables.current)
  const from = sources.epochs.get(nameOf(type, at))
  if (seen !== undefined && from !== undefined) return reading(plan, at, { ...seen, snapshotEpoch: from })
  const clock = await askClock(sources, plan, signal)
  rememberClock(sources, plan, clock)
  return reading(plan, at, clock)
}

/** The same, if the clock of a statement shows that it has not named all the epochs that it had to. */
export function withMissedEpochs<Plan extends Reading>(plan: Plan, clock: PageClock): Plan | undefined {
  const { at } = plan
  if (at.kind !== 'snapshot' || at.epochs === undefined) return undefined
  const needed = neededEpochs(clock)
  const { from, count } = at.epochs
  const hasAll = Number(from) <= needed.from && needed.to < Number(from) + count
  return hasAll ? undefined : reading(plan, at, clock)
}

/** Keeps what the clock of a statement has told. */
export function rememberClock({ seen, epochs }: RowSources, { type, at }: Reading, clock: PageClock): void {
  const { version, epoch, snapshotEpoch, tag } = clock
  const before = seen.get(type.tables.current) ?? nothingSeen
  seen.set(type.tables.current, { ...before, version, epoch })
  if (snapshotEpoch === null || tag === null) return
  epochs.set(nameOf(type, { version: at.kind === 'snapshot' ? at.version : version, tag }), snapshotEpoch)
}

type EpochsOfClock = Pick<PageClock, 'epoch' | 'snapshotEpoch'>

const neededEpochs = ({ epoch, snapshotEpoch }: EpochsOfClock) => ({ from: snapshotEpoch ?? 1, to: epoch })

function reading<Plan extends Reading>(plan: Plan, at: Snapshot, clock: EpochsOfClock): Plan {
  const { from, to } = neededEpochs(clock)
  const count = counts.find((some) => some > to - from)
  // More epochs than a statement may name: history is read whole.
  const epochs: EpochRange | undefined = count === undefined ? undefined : { from: String(from), count }
  return { ...plan, at: { ...at, epochs } }
}
