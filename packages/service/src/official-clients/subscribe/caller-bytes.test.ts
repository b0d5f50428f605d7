import { expect, it } from 'vitest'
import { callerBytes } from './caller-bytes.ts'

it('P394: what is kept for a caller is that of all its connections, and of no other caller', () => {
  const bytes = callerBytes(10)
  const [one, other] = [bytes('ada'), bytes('ada')]
  one.add(6)
  other.add(4)
  expect(one.isFull()).toBe(false)
  other.add(1)
  expect([one.isFull(), other.isFull(), bytes('grace').isFull()]).toEqual([true, true, false])
})

it('P394: a subscriber that waits for room is called once there is some', () => {
  const bytes = callerBytes(10)
  const [one, other] = [bytes('ada'), bytes('ada')]
  let calls = 0
  const stop = other.onRoom(() => (calls += 1))
  one.add(12)
  one.add(-1)
  expect(calls).toBe(0)
  one.add(-1)
  expect(calls).toBe(1)
  stop()
  one.add(5)
  one.add(-5)
  expect(calls).toBe(1)
  one.add(-10)
  expect(one.isFull()).toBe(false)
})
