// Reads one state, with any number of statements. Each statement returns the clock of what it has read. The clock proves that the rows
// are those of the state, or shows what the statement should have read instead; then it is sent again. So nothing that is returned
// depends on what this process believed.
import type { PagePlan, PointInTime } from '../../plan/page-plan.ts'
import { capturedBy } from '../../token/walk.ts'
import { type PageClock, requireReadable, askClock } from './page-clock.ts'
import { type RowSources, nothingRead } from './row-sources.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'

export interface StateReader {
  /** What the next statement has to read. */
  readonly next: () => Promise<PointInTime>
  /** Whether what came with this clock is of the state. If not, nothing of it may be used, and the statement is sent again. */
  readonly proves: (clock: PageClock) => boolean
}

/** The state of a plan. One that is to be captured is fixed by the first statement. */
export function stateReader(
  sources: RowSources,
  { type, at: wanted, linked }: Pick<PagePlan, 'type' | 'at' | 'linked'>,
  signal?: AbortSignal,
): StateReader {
  let at = wanted
  // While nothing has been committed after a version, the table of current objects has exactly its rows. Reading history too
  // takes 1.13 to 1.44 of a page's processor time.
  let isNewest = at.kind !== 'snapshot' || sources.lastRead.get(type.tables.current)?.version === at.version
  /** The version with the epochs of history, once history is read. */
  let withHistory: Snapshot | undefined
  return {
    next: async () => {
      if (at.kind !== 'snapshot') return at
      if (isNewest) return { kind: 'capture' }
      withHistory ??= (await withEpochs(sources, { type, at }, signal)).at
      return withHistory
    },
    proves: (clock) => {
      rememberClock(sources, { type, at: withHistory ?? { kind: 'capture' } }, clock)
      if (isNewest && at.kind === 'snapshot' && clock.version !== at.version) {
        isNewest = false
        return false
      }
      requireReadable(clock, { type, at, linked })
      if (withHistory !== undefined && !hasNamedAll(withHistory, clock)) {
        withHistory = namingEpochs(withHistory, clock)
        return false
      }
      if (at.kind === 'capture') at = capturedBy(clock)
      return true
    },
  }
}

/** Sends a statement until its answer is proven. */
export async function proven<Answer extends { readonly clock: PageClock }>(
  state: StateReader,
  ask: (at: PointInTime) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask(await state.next())
    if (state.proves(answer.clock)) return answer
  }
}

type Snapshot = Extract<PointInTime, { readonly kind: 'snapshot' }>

/** The number of epochs is part of a statement's text, so there are only a few of them. Empty epochs cost little. */
const counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]

/**
 * The plan with the epochs of history (catalog/epochs.ts) that it has to read, as far as this process knows them. A version that it does
 * not know costs a look at the clock. The clock that comes with the rows says which epochs the statement should have named.
 */
export async function withEpochs<Plan extends Pick<PagePlan, 'type' | 'at'>>(
  sources: RowSources,
  plan: Plan,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const { at, type } = plan
  if (at.kind !== 'snapshot') return plan
  const newest = sources.lastRead.get(type.tables.current)
  const snapshotEpoch = sources.epochs.get(versionName(type, at))
  if (newest !== undefined && snapshotEpoch !== undefined)
    return { ...plan, at: namingEpochs(at, { ...newest, snapshotEpoch }) }
  const clock = await askClock(sources, plan, signal)
  rememberClock(sources, plan, clock)
  return { ...plan, at: namingEpochs(at, clock) }
}

type EpochsOfClock = Pick<PageClock, 'epoch' | 'snapshotEpoch'>

function namingEpochs(at: Snapshot, { epoch, snapshotEpoch }: EpochsOfClock): Snapshot {
  const first = snapshotEpoch ?? 1
  const count = counts.find((some) => some > epoch - first)
  // More epochs than a statement may name: history is read whole.
  return { ...at, epochs: count === undefined ? undefined : { from: String(first), count } }
}

/** Whether a statement has named all epochs that it had to read, by its own clock. */
const hasNamedAll = ({ epochs }: Snapshot, { epoch, snapshotEpoch }: EpochsOfClock): boolean =>
  epochs === undefined ||
  (Number(epochs.from) <= (snapshotEpoch ?? 1) && epoch < Number(epochs.from) + epochs.count)

/** Remembers what the clock of a statement says of the type, and of the version that was read. */
export function rememberClock(
  { lastRead, epochs }: RowSources,
  { type, at }: Pick<PagePlan, 'type' | 'at'>,
  clock: PageClock,
): void {
  const { version, epoch, snapshotEpoch, tag } = clock
  const before = lastRead.get(type.tables.current) ?? nothingRead
  lastRead.set(type.tables.current, { ...before, version, epoch })
  if (snapshotEpoch === null || tag === null) return
  epochs.set(
    versionName(type, { version: at.kind === 'snapshot' ? at.version : version, tag }),
    snapshotEpoch,
  )
}

const versionName = ({ tables }: ObjectType, { version, tag }: Pick<Snapshot, 'version' | 'tag'>): string =>
  `${tables.current} ${version} ${tag}`
