import { limits } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { splitLines } from './split-lines.ts'

async function linesOf(text: string, pieceBytes: number) {
  const bytes = Buffer.from(text)
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const lines: (readonly [number, string])[] = []
  for await (const together of splitLines(pieces())) {
    for (const { number, bytes: line } of together) lines.push([number, String(line)])
  }
  return lines
}

it.each([1, 2, 3, 5, 1_000])('numbers lines and leaves out blank ones, in pieces of %d', async (size) => {
  expect(await linesOf('\n\r\n a\n\t \n\n\nb \r\n  c\n \n\t', size)).toEqual([
    [3, ' a'],
    [7, 'b \r'],
    [8, '  c'],
  ])
  expect(await linesOf('a\n\nb', size)).toEqual([
    [1, 'a'],
    [3, 'b'],
  ])
  expect(await linesOf('\n\n', size)).toEqual([])
  expect(await linesOf('', size)).toEqual([])
})

it('P111: a line that is too long is refused, also if it is blank', async () => {
  const longest = limits.request.batchLineBytes
  for (const size of [65_536, longest * 2]) {
    expect(await linesOf(`${' '.repeat(longest)}\na`, size)).toEqual([[2, 'a']])
    for (const text of [' ', 'x']) {
      await expect(linesOf(`${text.repeat(longest + 1)}\n`, size)).rejects.toMatchObject({
        errorName: 'RequestTooLarge',
      })
    }
  }
})
