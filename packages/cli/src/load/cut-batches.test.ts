import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { gathered, inChunks } from '../../test/support/byte-chunks.ts'
import type { InputRecord } from '../records/input-record.ts'
import { beginning } from '../records/line.ts'
import { ndjsonRecords } from '../records/ndjson-records.ts'
import { splitLines } from '../records/split-lines.ts'
import type { Batch } from './batch.ts'
import { batchMemories } from './batch-memory.ts'
import { cutBatches } from './cut-batches.ts'

const batchesOf = (
  bytes: Buffer,
  chunk: number,
  batchBytes: number,
  from = beginning,
): Promise<readonly Batch[]> => {
  const lines = splitLines(inChunks(bytes.subarray(from.byte), chunk), { from, mostBytes: 1_000 })
  return gathered(
    cutBatches(ndjsonRecords(lines, { name: 'id', type: 'integer' }), {
      from,
      batchBytes,
      memories: batchMemories(batchBytes, 'put'),
    }),
  )
}

const facts = ({ from, to, memory, lines, keys, rejections }: Batch) => ({
  from,
  to,
  body: memory.body().toString(),
  lines: lines.map((line, i) => [line, memory.bodyLine(i).toString(), memory.raw(i).toString()]),
  keys: [...keys],
  rejections: rejections.map(({ line, problem }) => [line, problem]),
})

it('a resumed load cuts the same batches, wherever it continues from', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.constantFrom('', 'not JSON'),
          fc.integer().map((id) => JSON.stringify({ id, text: 'ü'.repeat(id & 31) })),
        ),
      ),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 200 }),
      async (lines, chunk, batchBytes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const all = (await batchesOf(bytes, chunk, batchBytes)).map(facts)
        for (const [i, { to }] of all.entries()) {
          const rest = await batchesOf(bytes, chunk + 3, batchBytes, to)
          expect(rest.map(facts)).toEqual(all.slice(i + 1))
        }
      },
    ),
    { numRuns: 50 },
  )
})

it('a batch is the puts of its records, and ends when it is large enough', async () => {
  const bytes = Buffer.from('{"id":1}\n{"id":2}\nwrong\n{"id":3}\n')
  const [first, second] = (await batchesOf(bytes, 100, 60)).map(facts)
  expect(first?.body).toBe('{"type":"put","properties":{"id":1}}\n{"type":"put","properties":{"id":2}}\n')
  expect(first?.keys).toEqual(['1', '2'])
  expect([first?.to, second?.from]).toEqual([
    { byte: 18, line: 3 },
    { byte: 18, line: 3 },
  ])
  expect(second?.rejections).toEqual([[3, expect.stringContaining('must be JSON')]])
  expect(second?.to).toEqual({ byte: 33, line: 5 })
})

it('text of every kind finds room in a batch that it is larger than', async () => {
  const json = JSON.stringify({ text: '😀ß'.repeat(200_000) })
  const record = {
    kind: 'good',
    json,
    key: '1',
    line: 1,
    raw: Buffer.from('x'),
    endByte: 1,
    endLine: 2,
  } as const
  async function* groups(): AsyncGenerator<readonly InputRecord[]> {
    yield [record, record]
  }
  const batches = await gathered(
    cutBatches(groups(), { from: beginning, batchBytes: 10, memories: batchMemories(10, 'put') }),
  )
  expect(batches.map(({ memory }) => memory.body().toString())).toEqual([
    `{"type":"put","properties":${json}}\n`,
    `{"type":"put","properties":${json}}\n`,
  ])
})
