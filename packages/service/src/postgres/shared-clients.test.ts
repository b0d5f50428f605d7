import type { PoolClient } from 'pg'
import { expect, it } from 'vitest'
import { sharedClients } from './shared-clients.ts'

const clientOf = (): PoolClient => ({}) as PoolClient
const any = () => true

/** Connections whose statements take as long as the test says. */
function timed() {
  let at = 0
  const shared = sharedClients(() => at)
  return {
    shared,
    pass: (milliseconds: number) => void (at += milliseconds),
    /** One statement after the other, each on a connection of its own. */
    answer: (count: number, milliseconds: number) => {
      for (let i = 0; i < count; i += 1) {
        const client = clientOf()
        shared.add(client)
        at += milliseconds
        expect(shared.answered(client)).toBe(true)
      }
    },
  }
}

const taken = (shared: ReturnType<typeof sharedClients>): number => {
  let count = 0
  while (shared.take(any) !== undefined) count += 1
  return count
}

it('nothing is shared until answers are quick, and again once they are not', () => {
  const { shared, answer } = timed()
  const isShared = () => {
    const client = clientOf()
    shared.add(client)
    const isTaken = shared.take(any) === client
    shared.remove(client)
    return isTaken
  }
  expect(isShared()).toBe(false)
  answer(100, 0.2)
  expect(isShared()).toBe(true)
  answer(3, 20)
  expect(isShared()).toBe(false)
  answer(100, 0.2)
  expect(isShared()).toBe(true)
})

it('no more statements wait on one than are answered within two milliseconds', () => {
  const { shared, answer } = timed()
  answer(200, 0.3)
  shared.add(clientOf())
  expect(1 + taken(shared)).toBe(6)
  shared.add(clientOf())
  expect(1 + taken(shared)).toBe(6)
})

it('nobody waits behind a statement that takes long already', () => {
  const { shared, answer, pass } = timed()
  answer(200, 0.1)
  const client = clientOf()
  shared.add(client)
  pass(1.9)
  expect(shared.take(any)).toBe(client)
  pass(0.2)
  expect(shared.take(any)).toBeUndefined()
  expect(shared.answered(client)).toBe(false)
})

it('the time of an answer is from when the one before it came', () => {
  const { shared, answer, pass } = timed()
  answer(200, 0.1)
  const client = clientOf()
  shared.add(client)
  for (let i = 0; i < 9; i += 1) expect(shared.take(any)).toBe(client)
  for (let i = 0; i < 9; i += 1) {
    pass(0.1)
    expect(shared.answered(client)).toBe(false)
  }
  pass(0.1)
  expect(shared.answered(client)).toBe(true)
  expect(shared.take(any)).toBeUndefined()
  shared.add(client)
  expect(1 + taken(shared)).toBeGreaterThan(15)
})

it('one that may not be taken, has broken or is to be cancelled is not shared', () => {
  const { shared, answer } = timed()
  answer(200, 0.1)
  const [first, second, third] = [clientOf(), clientOf(), clientOf()]
  for (const client of [first, second, third]) shared.add(client)
  expect(shared.take((client) => client !== first)).toBe(second)
  expect(shared.keepAlone(second)).toBe(false)
  expect(shared.keepAlone(first)).toBe(true)
  expect(shared.remove(second)).toBe(true)
  expect(shared.remove(second)).toBe(false)
  expect(shared.answered(second)).toBe(false)
  expect(shared.take(any)).toBe(third)
})
