import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { expect, it } from 'vitest'
import type { ConnectionPool } from '../connection-pool.ts'
import { connectionBudget } from './connection-budget.ts'

/** A pool that opens a connection whenever none is idle, however many there are. */
function unlimitedPool() {
  const idle: PoolClient[] = []
  let open = 0
  const pool: ConnectionPool = {
    connect: async () => {
      const client = idle.pop()
      if (client !== undefined) return client
      open += 1
      await sleep(1)
      return {} as PoolClient
    },
    release: (client) => void idle.push(client),
    closeIdle: async () => {
      if (idle.pop() !== undefined) open -= 1
    },
    counts: () => ({ open, idle: idle.length, waiting: 0 }),
    isCitus: () => true,
    onNewTimeline: () => {},
    end: async () => {},
    begin: 'begin',
    begun: () => {},
    answerMs: 1_000,
    keepsSession: true,
  }
  return pool
}

it('all nodes together have no more connections than the limit, whatever is asked of them', async () => {
  const budget = connectionBudget(8, 10_000)
  const pools = Array.from({ length: 4 }, unlimitedPool)
  const shared = pools.map(budget.share)
  let most = 0
  const use = async (number: number) => {
    const pool = shared[number % 4]
    const client = await pool?.connect()
    most = Math.max(
      most,
      pools.reduce((sum, each) => sum + each.counts().open, 0),
    )
    await sleep(number % 3)
    if (client !== undefined) pool?.release(client)
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, i) => use(round % 2 === 0 ? i : round)))
  }
  expect(most).toBe(8)
})

it('a node that keeps its connections leaves a quarter of them to the others', async () => {
  const budget = connectionBudget(8, 50)
  const [stuck, other] = [budget.share(unlimitedPool()), budget.share(unlimitedPool())]
  const taken = await Promise.allSettled(Array.from({ length: 9 }, () => stuck.connect()))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  await expect(other.connect()).resolves.toBeDefined()
  await expect(other.connect()).resolves.toBeDefined()
  await expect(other.connect()).rejects.toThrow('timeout exceeded')
})

it('who waits gets the next connection that is released, on whatever node', async () => {
  const budget = connectionBudget(2, 10_000)
  const [one, other] = [budget.share(unlimitedPool()), budget.share(unlimitedPool())]
  const first = await one.connect()
  const second = await other.connect()
  const waiting = other.connect()
  await sleep(5)
  expect(budget.waiting()).toBe(1)
  one.release(first)
  expect(budget.waiting()).toBe(1)
  other.release(second)
  await expect(waiting).resolves.toBeDefined()
  expect(budget.waiting()).toBe(0)
})

it('a pool that is alone keeps to its own limit, and nobody waits here', async () => {
  const budget = connectionBudget(1, 10)
  const only = budget.share(unlimitedPool())
  await only.connect()
  await expect(only.connect()).resolves.toBeDefined()
})
