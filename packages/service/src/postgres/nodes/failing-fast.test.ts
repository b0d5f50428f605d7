import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { expect, it } from 'vitest'
import type { ConnectionPool } from '../connection-pool.ts'
import { failingFast } from './failing-fast.ts'

it('while a node cannot be reached, one request in a second tries it, and the others fail at once', async () => {
  let now = 0
  let tries = 0
  let reachable = false
  const connect = async () => {
    tries += 1
    await sleep(5)
    if (!reachable) throw new Error('unreachable')
    return {} as PoolClient
  }
  const pool = failingFast({ connect } as ConnectionPool, () => now)
  const ask = (count: number) => Promise.allSettled(Array.from({ length: count }, () => pool.connect()))

  await ask(1)
  await ask(20)
  expect(tries).toBe(1)
  now = 1_000
  await ask(20)
  expect(tries).toBe(2)
  now = 2_000
  reachable = true
  await pool.connect()
  expect((await ask(20)).every(({ status }) => status === 'fulfilled')).toBe(true)
})
