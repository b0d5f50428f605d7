// Puts the records of a page together while their rows arrive: each is copied once, from where the socket left it to behind
// the one before it.
import { firstColumn, readColumns, sizeBytes, type RowBuffers, type TakeRow } from '@octavo/pg-bytes'
import type { PagePlan, Position } from '../plan/page-plan.ts'
import { isKeyOrder, keyInRecord } from '../sql/record-key.ts'
import { beginsWithTexts, recordSeparator } from '../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'
import { readClock, requireDefinition, type PageClock } from './page-clock.ts'

export interface GatherOptions {
  readonly buffers: RowBuffers
  readonly plan: PagePlan
  /** What the records will probably take. */
  readonly expectedBytes: number
  /** Whether the page may end at any object, or only at the last one that fits by number. */
  readonly mayEndEarly: boolean
  /** Whether the records have their escapes. Where they have not, a backslash says that they should. */
  readonly withEscapes: boolean
  /** Asked before any object is taken: otherwise none is. */
  readonly wants: (clock: PageClock) => boolean
}

export interface Gathered extends PageRows {
  /** Not looked for where records begin with nothing that needs escapes. */
  readonly hasBackslash: boolean | undefined
  readonly giveBack: () => void
}

export interface Gathering {
  readonly takeRow: TakeRow
  /** Once all rows have been taken. */
  readonly end: () => Gathered
}

/** So that the beginning and the end of a page can be written round its records. */
const roomBefore = 16
const roomAfter = 2_048

const backslash = 0x5c

export function gatherRecords(options: GatherOptions): Gathering {
  const { buffers, plan, mayEndEarly, withEscapes, wants } = options
  const { type, pageSize } = plan
  const keyIsInRecord = isKeyOrder(plan.order)
  let memory = buffers.take(roomBefore + options.expectedBytes + roomAfter)
  let used = roomBefore
  let clock: PageClock | undefined
  /** Not known before the clock has come. */
  let isWanted: boolean | undefined
  let objects = 0
  let more = false
  /** Where the last record lies, and the keys of its position, if they came beside it. */
  let lastAt = used
  let lastKeys: Position = []

  const lastPosition = (): Position =>
    keyIsInRecord ? [keyInRecord(plan, memory.subarray(lastAt, used))] : lastKeys

  const grow = (bytes: number): void => {
    const larger = buffers.take(used + bytes + roomAfter)
    memory.copy(larger, 0, 0, used)
    buffers.giveBack(memory.buffer)
    memory = larger
  }

  return {
    takeRow: (bytes, at, end) => {
      const size = bytes.readInt32BE(at + firstColumn)
      const start = at + firstColumn + sizeBytes
      if (isWanted === undefined) {
        clock = readClock(bytes.toString('latin1', start, start + size))
        isWanted = clock !== undefined && wants(clock)
      } else if (!isWanted || more) {
        // It is not part of the page.
      } else if (size < 0 || objects === pageSize) {
        more = true
      } else {
        if (used + size + roomAfter > memory.length) grow(size)
        bytes.copy(memory, used, start, start + size)
        lastAt = used
        used += size
        objects += 1
        if (!keyIsInRecord && (mayEndEarly || objects === pageSize)) {
          lastKeys = readPosition(bytes, start + size, end)
        }
      }
    },
    end: () => {
      const records = memory.subarray(roomBefore + (objects === 0 ? 0 : recordSeparator.length), used)
      const hasBackslash = beginsWithTexts(plan) ? records.includes(backslash) : undefined
      const isReadable = withEscapes || !hasBackslash
      return {
        clock: requireDefinition(type, clock),
        objects,
        more,
        timedOut: false,
        position: more && objects > 0 && isReadable ? lastPosition() : undefined,
        records,
        hasBackslash,
        giveBack: () => buffers.giveBack(memory.buffer),
      }
    },
  }
}

/** The columns after the record. */
const readPosition = (bytes: Buffer, from: number, end: number): Position =>
  readColumns(bytes, from, end).map((key) => key?.toString() ?? null)
