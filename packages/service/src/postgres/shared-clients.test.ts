import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { expect, it } from 'vitest'
import { sharedClients } from './shared-clients.ts'

const clientOf = (): PoolClient => ({}) as PoolClient
const any = () => true

/** Connections for whose answers the service waits as long as the test says, with nothing else to do. */
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
  while (count < 100 && shared.take(any) !== undefined) count += 1
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
  answer(100, 0.01)
  expect(isShared()).toBe(true)
  answer(3, 1)
  expect(isShared()).toBe(false)
  answer(100, 0.01)
  expect(isShared()).toBe(true)
})

it('no more statements wait on one than a tenth of a millisecond of waiting answers', () => {
  const { shared, answer } = timed()
  answer(200, 0.03)
  shared.add(clientOf())
  expect(1 + taken(shared)).toBe(3)
  shared.add(clientOf())
  expect(1 + taken(shared)).toBe(3)
})

it('no more than four wait on one, however busy the service is meanwhile', () => {
  const { shared, answer } = timed()
  answer(200, 0)
  for (let connections = 0; connections < 3; connections += 1) {
    shared.add(clientOf())
    expect(1 + taken(shared)).toBe(4)
  }
})

it('nobody waits behind a statement that takes long already', () => {
  const { shared, answer, pass } = timed()
  answer(200, 0.01)
  const client = clientOf()
  shared.add(client)
  pass(0.09)
  expect(shared.take(any)).toBe(client)
  pass(0.02)
  expect(shared.take(any)).toBeUndefined()
  expect(shared.answered(client)).toBe(false)
})

it('the time of an answer is from when the one before it came', () => {
  const { shared, answer, pass } = timed()
  answer(200, 0.02)
  const client = clientOf()
  // Together they take 0.08 ms. Were each counted from the beginning, it would be 0.05 ms in the mean, and two at a time.
  for (let round = 0; round < 50; round += 1) {
    shared.add(client)
    for (let i = 0; i < 3; i += 1) expect(shared.take(any)).toBe(client)
    for (let i = 0; i < 4; i += 1) {
      pass(0.02)
      expect(shared.answered(client)).toBe(i === 3)
    }
    expect(shared.take(any)).toBeUndefined()
  }
})

it('one that may not be taken, has broken or is to be cancelled is not shared', () => {
  const { shared, answer } = timed()
  answer(200, 0.01)
  const [first, second, third] = [clientOf(), clientOf(), clientOf()]
  for (const client of [first, second, third]) shared.add(client)
  expect(shared.take((client) => client !== first)).toBe(second)
  expect(shared.leave(second)).toBe(false)
  expect(shared.leave(first)).toBe(true)
  expect(shared.remove(second)).toBe(true)
  expect(shared.remove(second)).toBe(false)
  expect(shared.answered(second)).toBe(false)
  expect(shared.take(any)).toBe(third)
})

it('time passes while this process waits, and not while it is busy', async () => {
  const shared = sharedClients()
  const client = clientOf()
  for (let i = 0; i < 30; i += 1) {
    shared.add(client)
    const until = performance.now() + 1
    while (performance.now() < until);
    shared.answered(client)
  }
  shared.add(client)
  expect(shared.take(any)).toBe(client)
  // A timer that is due already lets nobody wait.
  const idle = performance.nodeTiming.idleTime
  while (performance.nodeTiming.idleTime < idle + 1) await sleep(5)
  expect(shared.take(any)).toBeUndefined()
})

it('nobody joins statements that nobody waits for, until all of them are answered', () => {
  const { shared, answer } = timed()
  answer(200, 0.01)
  const client = clientOf()
  shared.add(client)
  expect(1 + taken(shared)).toBe(4)
  expect(shared.leave(client)).toBe(false)
  expect(shared.leave(client)).toBe(false)
  expect(shared.answered(client)).toBe(false)
  expect(shared.isLeft(client)).toBe(false)
  expect(shared.leave(client)).toBe(true)
  for (const isLast of [false, false, true]) {
    expect(shared.isLeft(client)).toBe(true)
    expect(shared.take(any)).toBeUndefined()
    expect(shared.answered(client, false)).toBe(isLast)
  }
  expect(shared.isLeft(client)).toBe(false)
})
