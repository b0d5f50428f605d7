// A filtered page: stretch after stretch of an index, until the page is full and one more match proves that it is not
// the last, or the index ends, or the time is up. Stretches grow while matches are rare, and further where one object fills them.
import { limits } from '@octavo/protocol'
import { invariant } from '../errors/invariant.ts'
import type { GoneSignal } from '../memory/gone-signal.ts'
import type { PagePlan, Position } from '../plan/page-plan.ts'
import { compileScanQuery, scanColumns, type ScanColumn } from '../sql/compile-scan-query.ts'
import { recordSeparator } from '../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'
import type { RowSources } from './row-sources.ts'
import { readClock, requireDefinition } from './page-clock.ts'

interface Stretch {
  readonly clock: PageRows['clock']
  readonly found: number
  readonly written: number
  readonly scanned: number
  readonly firstHead: Buffer
  readonly body: Buffer
  readonly lastWritten: Position
  /** From where on to read next; nothing if all rows are of one object, and it may have more. */
  readonly end: Position | undefined
}

export async function scanRows(
  sources: RowSources,
  plan: PagePlan,
  signal: GoneSignal | undefined,
): Promise<PageRows> {
  const endsAt = sources.elapsed() + limits.time.scanSeconds * 1_000
  const parts: Buffer[] = []
  let { at, position } = plan
  let clock: PageRows['clock'] | undefined
  let lastWritten: Position | undefined
  let objects = 0
  let bytes = 0
  let round = 0
  const { usual, longer } = sources.stretchLengths
  const lengths = [...usual, ...longer]

  for (;;) {
    const stretch = lengths[round]
    invariant(stretch !== undefined, 'an-object-has-more-versions-than-a-stretch')
    const rest = { ...plan, at, position, pageSize: plan.pageSize - objects }
    const found = await readStretch(sources, rest, {
      stretch,
      bytesLeft: plan.byteBudget - bytes,
      isFirst: objects === 0,
      signal,
    })
    clock ??= found.clock
    // The first stretch of a snapshot walk captures the version; the others read it.
    if (at.kind === 'capture') at = { kind: 'snapshot', version: found.clock.version }
    if (found.written > 0) {
      parts.push(found.firstHead, found.body)
      bytes += found.body.length
      objects += found.written
      lastWritten = found.lastWritten
    }
    // The newest floor, beside the version that was captured.
    const read = { clock: { ...found.clock, version: clock.version }, objects }
    // A match that was not written: it was read ahead, or did not fit.
    if (found.found > found.written)
      return {
        ...read,
        records: joined(parts),
        more: true,
        timedOut: false,
        position: lastWritten ?? plan.position,
      }
    if (found.scanned < stretch)
      return { ...read, records: joined(parts), more: false, timedOut: false, position: undefined }
    if (found.end !== undefined) position = found.end
    round = found.end === undefined ? round + 1 : Math.min(round + 1, usual.length - 1)
    // A page that did not get anywhere would be asked for again, for ever.
    if (position !== plan.position && sources.elapsed() >= endsAt)
      return { ...read, records: joined(parts), more: true, timedOut: true, position }
  }
}

/** Each record begins with what ends the one before it, and the first one ends none. */
const joined = ([first, ...others]: readonly Buffer[]): Buffer =>
  first === undefined ? Buffer.alloc(0) : Buffer.concat([first.subarray(recordSeparator.length), ...others])

interface StretchOptions {
  readonly stretch: number
  readonly bytesLeft: number
  readonly isFirst: boolean
  readonly signal: GoneSignal | undefined
}

async function readStretch(
  { database }: RowSources,
  plan: PagePlan,
  { signal, ...options }: StretchOptions,
): Promise<Stretch> {
  const row = (await database.bytes(compileScanQuery(plan, options), signal)) ?? []
  const field = (column: ScanColumn) => row[scanColumns.indexOf(column)] ?? Buffer.alloc(0)
  const count = (column: ScanColumn) => Number(field(column).toString())
  const positions = row.slice(scanColumns.length).map((value) => value?.toString() ?? null)
  const keys = plan.order.keys.length
  const end = positions.slice(keys)
  return {
    clock: requireDefinition(plan.type, readClock(field('clock').toString())),
    found: count('found'),
    written: count('written'),
    scanned: count('scanned'),
    firstHead: field('firstHead'),
    body: field('body'),
    lastWritten: positions.slice(0, keys),
    end: end.at(-1) == null ? undefined : end,
  }
}
