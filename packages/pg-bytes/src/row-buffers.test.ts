import { expect, it } from 'vitest'
import { rowBuffers } from './row-buffers.ts'

it('memory that was given back is used for the next row of its size', () => {
  const buffers = rowBuffers({ mostBytes: 1_000_000 })
  const first = buffers.take(50_000)
  buffers.giveBack(first.buffer)
  expect(buffers.take(40_000).buffer).toBe(first.buffer)
})

it('memory is used by one row at a time', () => {
  const buffers = rowBuffers({ mostBytes: 1_000_000 })
  const first = buffers.take(50_000)
  buffers.giveBack(first.buffer)
  buffers.giveBack(first.buffer)
  expect(buffers.take(50_000).buffer).not.toBe(buffers.take(50_000).buffer)
})

it('memory of others is left alone', () => {
  const buffers = rowBuffers({ mostBytes: 1_000_000 })
  const foreign = new ArrayBuffer(16_384)
  buffers.giveBack(foreign)
  expect(buffers.take(10_000).buffer).not.toBe(foreign)
})

it('no more memory waits than was allowed', () => {
  const buffers = rowBuffers({ mostBytes: 16_384 })
  const both = [buffers.take(10_000), buffers.take(10_000)]
  for (const { buffer } of both) buffers.giveBack(buffer)
  const again = [buffers.take(10_000).buffer, buffers.take(10_000).buffer]
  expect(again.filter((memory) => both.some(({ buffer }) => buffer === memory))).toHaveLength(1)
})

it('a row is never given less than it asked for', () => {
  const buffers = rowBuffers({ mostBytes: 1_000_000 })
  for (const bytes of [1, 16_384, 16_385, 65_537, 16_777_216, 16_777_217, 40_000_000]) {
    expect(buffers.take(bytes).length).toBeGreaterThanOrEqual(bytes)
  }
})
