import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { gathered } from '../../test/support/byte-chunks.ts'
import type { Line } from './line.ts'
import { splitLines } from './split-lines.ts'

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    if (at < bytes.length) yield bytes.subarray(at, at + size)
    at += size
  }
}

async function linesOf(
  bytes: Buffer,
  sizes: readonly number[] = [],
  mostBytes = 100,
): Promise<readonly Line[]> {
  return (await gathered(splitLines(inChunks(bytes, sizes), { mostBytes }))).flat()
}

it('lines are the same however the bytes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\r', ' ') })),
      fc.array(fc.integer({ min: 1, max: 7 })),
      async (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const lines = await linesOf(bytes, sizes, 10_000)
        expect(lines.map((line) => line.bytes.toString() + (line.hasReturn ? '\r' : ''))).toEqual(texts)
        expect(lines.map(({ line }) => line)).toEqual(texts.map((_, i) => i + 1))
        expect(lines.at(-1)?.endByte ?? 0).toBe(bytes.length)
      },
    ),
  )
})

it('each line knows where the next one begins, so that reading can continue there', async () => {
  const bytes = Buffer.from('é\r\nsecond\n\nlast without an end')
  const lines = await linesOf(bytes)
  for (const { endByte, line } of lines) {
    const rest = await gathered(
      splitLines(inChunks(bytes.subarray(endByte), []), {
        from: { byte: endByte, line: line + 1 },
        mostBytes: 100,
      }),
    )
    expect(rest.flat().map((each) => [each.line, each.bytes.toString(), each.endByte])).toEqual(
      lines.slice(line).map((each) => [each.line, each.bytes.toString(), each.endByte]),
    )
  }
})

it('a byte order mark is ignored on the first line only', async () => {
  const lines = await linesOf(Buffer.from('\uFEFFid\n\uFEFFid\n'), [1, 1, 1])
  expect(lines.map(({ bytes }) => bytes.toString('hex'))).toEqual(['6964', 'efbbbf6964'])
})

it('a line that is too long is cut, and the next one is whole', async () => {
  const bytes = Buffer.from(`${'x'.repeat(5_000_000)}\nnext\n`)
  const [long, next] = await linesOf(
    bytes,
    Array.from({ length: 50 }, () => 100_000),
  )
  expect([long?.isCut, long?.bytes.length, long?.endByte]).toEqual([true, 65_536, 5_000_001])
  expect([next?.isCut, next?.bytes.toString(), next?.line]).toEqual([false, 'next', 2])
})
