// Collects the records of a page while their rows arrive. Each record is copied once: from the socket's buffer to the end of the
// records before it.
import { firstColumn, readColumns, sizeBytes, type RowBuffers, type TakeRow } from '@octavo/pg-bytes'
import type { PagePlan, Position } from '../../plan/page-plan.ts'
import { isKeyOrder, keyInRecord, beginsWithTexts, recordSeparator } from '../../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'
import { readClock, requireDefinition, type PageClock } from '../state/page-clock.ts'

export interface GatherOptions {
  readonly buffers: RowBuffers
  readonly plan: PagePlan
  /** The estimated size of the records. */
  readonly expectedBytes: number
  /** Whether the page may end at any object, or only where the page size is reached. */
  readonly mayEndEarly: boolean
  /** Whether the records were written with escapes. If not, a backslash in them shows that they may need some. */
  readonly withEscapes: boolean
  /** Called with the clock before any object is taken. If it returns false, no object is taken. */
  readonly wants: (clock: PageClock) => boolean
}

export interface Gathered extends PageRows {
  /** Undefined where records begin with nothing that could need escapes: then nothing looks for a backslash. */
  readonly hasBackslash: boolean | undefined
  readonly giveBack: () => void
}

export interface Gathering {
  readonly takeRow: TakeRow
  /** To be called once all rows have been taken. */
  readonly end: () => Gathered
}

/** Room to write the beginning and the end of a page around its records. */
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
  /** Undefined until the clock has arrived. */
  let isWanted: boolean | undefined
  let objects = 0
  let more = false
  /** Where the last record starts, and the keys of its position, if they came as columns beside it. */
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
        // The row is not part of the page.
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
      const records = memory.subarray(
        roomBefore + (objects === 0 ? 0 : recordSeparator(plan.record).length),
        used,
      )
      const hasBackslash = beginsWithTexts(plan) ? records.includes(backslash) : undefined
      const isReadable = withEscapes || !hasBackslash
      return {
        clock: requireDefinition(type, clock),
        objects,
        more,
        timedOut: false,
        position: more && objects > 0 && isReadable ? lastPosition() : undefined,
        records,
        shape: plan.record,
        hasBackslash,
        giveBack: () => buffers.giveBack(memory.buffer),
      }
    },
  }
}

/** Reads the keys of the position from the columns after the record. */
const readPosition = (bytes: Buffer, from: number, end: number): Position =>
  readColumns(bytes, from, end).map((key) => key?.toString() ?? null)
