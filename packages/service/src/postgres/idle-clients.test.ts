import type { PoolClient } from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { idleClients } from './idle-clients.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function someClients(count: number) {
  const released: number[] = []
  const clients = Array.from(
    { length: count },
    (_, i) => ({ release: () => released.push(i) }) as unknown as PoolClient,
  )
  return { released, clients }
}

it('the one that was given back last is taken first, and those that nobody takes go back to the pool', () => {
  const idle = idleClients()
  const { clients, released } = someClients(3)
  for (const client of clients) idle.add(client)
  expect(idle.count()).toBe(3)
  vi.advanceTimersByTime(1_000)
  expect(released).toEqual([])
  for (let i = 0; i < 10; i += 1) {
    const client = idle.take()
    expect(client).toBe(clients[2])
    if (client !== undefined) idle.add(client)
  }
  vi.advanceTimersByTime(1_000)
  expect(released).toEqual([0, 1])
  vi.advanceTimersByTime(1_000)
  expect(released).toEqual([0, 1, 2])
  expect(idle.take()).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

it('one that broke is not taken again', () => {
  const idle = idleClients()
  const { clients, released } = someClients(2)
  const [first, second] = clients as [PoolClient, PoolClient]
  idle.add(first)
  idle.add(second)
  expect(idle.remove(second)).toBe(true)
  expect(idle.remove(second)).toBe(false)
  expect(idle.take()).toBe(first)
  expect(idle.take()).toBeUndefined()
  expect(released).toEqual([])
})

it('all go back to the pool when it is about to end', () => {
  const idle = idleClients()
  const { clients, released } = someClients(2)
  for (const client of clients) idle.add(client)
  idle.letGo()
  expect(released).toEqual([0, 1])
  expect(idle.count()).toBe(0)
})
