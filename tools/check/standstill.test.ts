import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { watchForStandstill } from './standstill.ts'

it('measures how long the process was stalled', async () => {
  const standstill = watchForStandstill()
  await sleep(50)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
  await sleep(50)
  expect(standstill.longestSeconds()).toBeGreaterThan(0.6)
  standstill.end()
})
