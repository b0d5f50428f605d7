import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Batch } from './batch.ts'
import { batchMemories } from './batch-memory.ts'
import { batchWindow, type BatchWindow } from './batch-window.ts'

const batchOf = (...keys: readonly string[]): Batch => ({
  from: { byte: 0, line: 1 },
  to: { byte: 0, line: 1 },
  records: 0,
  memory: batchMemories(10, 'put').take(),
  lines: [],
  keys: new Set(keys),
  rejections: [],
})

/** Whether there is room now; a batch that gets room stays in flight until `end` is called. */
async function tries(window: BatchWindow, batch: Batch) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isStarted = false
  const start = async (): Promise<void> => {
    await window.roomFor(batch)
    isStarted = true
    window.start(batch, () => promise)
  }
  const started = start()
  await turn()
  return { isStarted: () => isStarted, started, end: async () => (resolve(), turn()), fail: reject }
}

it('no more batches are under way than there is room for', async () => {
  const window = batchWindow(2)
  const one = await tries(window, batchOf('a'))
  const two = await tries(window, batchOf('b'))
  const three = await tries(window, batchOf('c'))
  expect([one.isStarted(), two.isStarted(), three.isStarted()]).toEqual([true, true, false])
  await two.end()
  expect(three.isStarted()).toBe(true)
})

it('a batch waits for one that has the same object, so that the later record is applied later', async () => {
  const window = batchWindow(3)
  const one = await tries(window, batchOf('a', 'b'))
  const two = await tries(window, batchOf('b', 'c'))
  expect(two.isStarted()).toBe(false)
  await one.end()
  expect(two.isStarted()).toBe(true)
})

it('a service that is asked for too much is asked for less, and after a while for more again', async () => {
  const window = batchWindow(2)
  window.narrow()
  for (let i = 0; i < 8; i += 1) {
    const batch = await tries(window, batchOf(`x${i}`))
    expect((await tries(batchWindow(1), batchOf())).isStarted()).toBe(true)
    await batch.end()
  }
  const [one, two] = [await tries(window, batchOf('a')), await tries(window, batchOf('b'))]
  expect([one.isStarted(), two.isStarted()]).toEqual([true, true])
})

it('a failure ends the load once those under way have ended', async () => {
  const window = batchWindow(2)
  const one = await tries(window, batchOf('a'))
  const two = await tries(window, batchOf('b'))
  one.fail(new Error('lost'))
  await turn()
  await expect(window.roomFor(batchOf('c'))).rejects.toThrow('lost')
  let isDrained = false
  const drained = window.drained().finally(() => (isDrained = true))
  drained.catch(() => {})
  await turn()
  expect(isDrained).toBe(false)
  await two.end()
  await expect(drained).rejects.toThrow('lost')
})
