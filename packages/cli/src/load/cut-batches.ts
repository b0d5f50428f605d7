// Cuts records into batches. Where a batch ends depends only on where it starts: a resumed load cuts the same batches again,
// and the service recognises those that it has already applied by their idempotency keys.
import type { BadRecord, InputRecords } from '../records/input-record.ts'
import type { LineStart } from '../records/line.ts'
import type { Batch } from './batch.ts'
import type { BatchMemories, BatchMemory } from './batch-memory.ts'
import type { Rejection } from './rejection.ts'

interface CutOptions {
  readonly from: LineStart
  /** A batch ends with the record that reaches this size. */
  readonly batchBytes: number
  readonly memories: BatchMemories
}

/** A file without a single valid record must not be collected in memory as a whole. */
const mostRejections = 1_000

export async function* cutBatches(
  groups: InputRecords,
  { from, batchBytes, memories }: CutOptions,
): AsyncGenerator<Batch> {
  let batch = openBatch(from, memories.take())
  for await (const group of groups) {
    for (const record of group) {
      batch.to = { byte: record.endByte, line: record.endLine }
      if (record.kind === 'bad') batch.rejections.push(rejectionOf(record))
      else {
        batch.memory.append(record.json, record.raw)
        batch.lines.push(record.line)
        batch.records += 1
        if (record.key !== undefined) batch.keys.add(record.key)
      }
      if (batch.memory.bodyBytes() < batchBytes && batch.rejections.length < mostRejections) continue
      yield batch
      batch = openBatch(batch.to, memories.take())
    }
  }
  if (batch.to.byte > batch.from.byte) yield batch
}

interface OpenBatch extends Batch {
  to: LineStart
  records: number
  readonly lines: number[]
  readonly keys: Set<string>
  readonly rejections: Rejection[]
}

const openBatch = (from: LineStart, memory: BatchMemory): OpenBatch => ({
  from,
  to: from,
  records: 0,
  memory,
  lines: [],
  keys: new Set(),
  rejections: [],
})

const rejectionOf = ({ line, property, problem, raw, isCut }: BadRecord): Rejection => ({
  line,
  problem,
  raw: Buffer.from(raw),
  ...(property !== undefined && { property }),
  ...(isCut && { isCut }),
})
