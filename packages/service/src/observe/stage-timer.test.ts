import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { stageTimer } from './stage-timer.ts'

it('adds up what a stage took, whether it waits or not, and says it in milliseconds', async () => {
  const timer = stageTimer()
  expect(timer.time('plan', () => 1)).toBe(1)
  expect(await timer.time('read', () => sleep(20, 2))).toBe(2)
  await expect(timer.time('read', async () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  const { plan = 0, read = 0, ...others } = Object.fromEntries(timer.stages)
  expect(others).toEqual({})
  expect(plan).toBeLessThan(20)
  expect(read).toBeGreaterThan(15)
  const [, ...said] = /^plan;dur=(\d+\.\d{3}), read;dur=(\d+\.\d{3})$/.exec(timer.header()) ?? []
  expect(said.map(Number)).toEqual([plan, read].map((milliseconds) => expect.closeTo(milliseconds, 2)))
})
