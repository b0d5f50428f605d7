// Reads a filtered page: stretch after stretch of an index, until the page is full and one more match proves that it is not the
// last, or until the index ends. Stretches grow while matches are rare, and grow further where one object fills them. A page
// that takes long returns less than its size: see `roomIn`.
import { limits } from '@octavo/protocol'
import { invariant } from '../../../base/errors/invariant.ts'
import type { PagePlan, Position } from '../../plan/page-plan.ts'
import type { RecordShape } from '../../request/page-request.ts'
import { everything } from '../../../catalog/filter/filter.ts'
import { compileScanQuery, scanColumns, type ScanColumn } from '../../sql/compile-scan-query.ts'
import { recordSeparator } from '../../sql/record-text.ts'
import type { PageRows, ReadLimits } from './page-rows.ts'
import type { RowSources, StretchLengths } from '../state/row-sources.ts'
import type { StateReader } from '../state/state-reader.ts'
import { clockOf } from '../state/page-clock.ts'

interface Stretch {
  readonly clock: PageRows['clock']
  readonly found: number
  readonly written: number
  readonly scanned: number
  readonly firstHead: Buffer
  readonly body: Buffer
  readonly lastWritten: Position
  /** Where the next stretch starts; undefined if all rows are of one object, which may have more. */
  readonly end: Position | undefined
}

/** Whether rows have to be looked at one by one. */
export const isScan = ({ access }: PagePlan): boolean =>
  access?.kind === 'scan' && access.check !== everything

export async function scanRows(
  sources: RowSources,
  plan: PagePlan,
  state: StateReader,
  { signal, answerBy = Infinity, ...readLimits }: ReadLimits,
): Promise<PageRows> {
  let now = sources.elapsed()
  const { longAfter = now + limits.time.scanSeconds * 1_000 } = readLimits
  const parts: Buffer[] = []
  let { position } = plan
  let lastWritten: Position | undefined
  let clock: PageRows['clock'] | undefined
  let objects = 0
  let bytes = 0
  let round = 0
  const { usual, longer } = lengthsFor(sources, plan)
  const lengths = [...usual, ...longer]
  const pageOf = (
    captured: PageRows['clock'],
    end: Pick<PageRows, 'more' | 'timedOut' | 'position' | 'positionIsHidden'>,
  ): PageRows => ({
    clock: captured,
    objects,
    records: joined(parts, plan.record),
    shape: plan.record,
    ...end,
  })

  for (;;) {
    const stretch = lengths[round]
    invariant(stretch !== undefined, 'an-object-has-more-versions-than-a-stretch')
    const at = await state.next()
    const takesLong = now >= longAfter
    const pageSize = roomIn(plan, objects, takesLong)
    const found = await readStretch(
      sources,
      { ...plan, at, position, pageSize },
      { stretch, bytesLeft: plan.byteBudget - bytes, isFirst: objects === 0, signal },
    )
    if (!state.proves(found.clock)) continue
    clock ??= found.clock
    if (found.written > 0) {
      parts.push(found.firstHead, found.body)
      bytes += found.firstHead.length + found.body.length
      objects += found.written
      lastWritten = found.lastWritten
    }
    // A match that was not written: it was read ahead, or did not fit. Everything before its stretch has been checked; but where a
    // policy hides objects, the token would show that some lie between the last object and this one.
    if (found.found > found.written) {
      const isVisible = found.written > 0 || (plan.isGuarded === true && !takesLong)
      const last = isVisible ? lastWritten : position
      invariant(last !== undefined, 'more-matches-after-no-position')
      return pageOf(clock, {
        more: true,
        timedOut: takesLong && objects < plan.pageSize,
        position: last,
        positionIsHidden: !isVisible,
      })
    }
    if (found.scanned < stretch) return pageOf(clock, { more: false, timedOut: false, position: undefined })
    if (found.end !== undefined) position = found.end
    round = found.end === undefined ? round + 1 : Math.min(round + 1, usual.length - 1)
    const before = now
    now = sources.elapsed()
    // The next stretch probably takes as long as this one. A page must advance by at least one stretch: otherwise the client
    // would ask for the same page for ever.
    if (position !== plan.position && now + (now - before) >= answerBy)
      return pageOf(clock, { more: true, timedOut: true, position, positionIsHidden: true })
  }
}

/**
 * Following a link for a row takes longer than reading it: first only as many rows are read as the page needs if all match, and once
 * more as many, in case few do not.
 */
function lengthsFor({ stretchLengths }: RowSources, { linked = [], pageSize }: PagePlan): StretchLengths {
  if (linked.length === 0) return stretchLengths
  const few = pageSize + 1
  return { ...stretchLengths, usual: [few, few, ...stretchLengths.usual] }
}

/**
 * How many objects still fit into the page. A page that takes long is content with one, and then only checks whether another one
 * follows, so that no page with a token is the last (P113).
 */
function roomIn({ pageSize }: PagePlan, objects: number, takesLong: boolean): number {
  if (!takesLong) return pageSize - objects
  return objects === 0 ? 1 : 0
}

/**
 * Each record begins with the separator that ends the one before it. The first record has none before it, so its separator is
 * cut off.
 */
const joined = ([first, ...others]: readonly Buffer[], shape: RecordShape): Buffer =>
  first === undefined
    ? Buffer.alloc(0)
    : Buffer.concat([first.subarray(recordSeparator(shape).length), ...others])

interface StretchOptions {
  readonly stretch: number
  readonly bytesLeft: number
  readonly isFirst: boolean
  readonly signal: AbortSignal | undefined
}

async function readStretch(
  { database }: RowSources,
  plan: PagePlan,
  { signal, ...options }: StretchOptions,
): Promise<Stretch> {
  const row = (await database.holding(plan.type.schema).bytes(compileScanQuery(plan, options), signal)) ?? []
  const field = (column: ScanColumn) => row[scanColumns.indexOf(column)] ?? Buffer.alloc(0)
  const count = (column: ScanColumn) => Number(field(column).toString())
  const positions = row.slice(scanColumns.length).map((value) => value?.toString() ?? null)
  const keys = plan.order.keys.length
  const end = positions.slice(keys)
  return {
    clock: clockOf(plan.type, field('clock')),
    found: count('found'),
    written: count('written'),
    scanned: count('scanned'),
    firstHead: field('firstHead'),
    body: field('body'),
    lastWritten: positions.slice(0, keys),
    end: end.at(-1) == null ? undefined : end,
  }
}
