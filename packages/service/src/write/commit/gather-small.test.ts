import { expect, it } from 'vitest'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import type { TypeLines } from './change.ts'
import { gatherSmall } from './gather-small.ts'
import { readBatch } from './read-batch.ts'
import { defineType } from '../../../test/support/define-type.ts'

const typeOf = (columns: number) =>
  unsavedType(
    defineType('wide', {
      id: 'integer',
      ...Object.fromEntries(
        Array.from({ length: columns }, (_, i) => [`n${i}`, { type: 'integer', searchable: true }]),
      ),
    }),
  )

/** The same lines over and over, as the service reads them. */
function chunksOf(columns: number, lines: number, kind: 'put' | 'delete'): AsyncGenerator<TypeLines> {
  const type = typeOf(columns)
  async function* body(): AsyncGenerator<Buffer> {
    for (let id = 0; id < lines; id += 1) {
      const line = kind === 'put' ? { type: kind, properties: { id } } : { type: kind, primaryKey: id }
      yield Buffer.from(`${JSON.stringify(line)}\n`)
    }
  }
  return readBatch(body(), { putsOnly: false, typeOf: () => type })
}

const sizes = async (chunks: AsyncIterable<TypeLines>): Promise<readonly number[]> => {
  const found: number[] = []
  for await (const { changes } of chunks) found.push(changes.length)
  return found
}

it('the more columns a type has, the fewer objects are sent in one statement', async () => {
  expect(Math.max(...(await sizes(chunksOf(2, 3_000, 'put'))))).toBe(1_000)
  expect(Math.max(...(await sizes(chunksOf(196, 3_000, 'put'))))).toBe(100)
  expect(Math.max(...(await sizes(chunksOf(196, 3_000, 'delete'))))).toBe(1_000)
})

it('a batch with few values is gathered, one with many is not, and nothing of it is lost', async () => {
  const small = await gatherSmall(chunksOf(2, 10_000, 'put'))
  expect(small.kind === 'small' && small.parts.map(({ changes }) => changes.length)).toEqual([10_000])
  for (const [columns, lines] of [
    [2, 10_001],
    [196, 501],
  ] as const) {
    const large = await gatherSmall(chunksOf(columns, lines, 'put'))
    if (large.kind !== 'large') throw new Error(`${lines} objects of ${columns} columns were gathered`)
    expect((await sizes(large.chunks)).reduce((sum, size) => sum + size, 0)).toBe(lines)
  }
})
