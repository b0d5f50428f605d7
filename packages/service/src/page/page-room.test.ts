import { expect, it } from 'vitest'
import { pageRoom } from './page-room.ts'

const here = new AbortController().signal
const roomFor = (pages: number, mostSecondsToWait = 5) =>
  pageRoom({ pages, pageBytes: 100, mostSecondsToWait })

/** Whether the promise is settled once everything that can happen now has happened. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

it('lets in as many pages as there is room for, and the others in their order', async () => {
  const room = roomFor(2)
  const [first, second] = [await room.reserve(here), await room.reserve(here)]
  const [third, fourth] = [room.reserve(here), room.reserve(here)]
  expect(await isSettled(third)).toBe(false)
  first.release()
  expect([await isSettled(third), await isSettled(fourth)]).toEqual([true, false])
  second.release()
  expect(await isSettled(fourth)).toBe(true)
})

it('gives back what a page does not need, and the rest once it is sent; twice is once', async () => {
  const room = roomFor(2)
  const small = await room.reserve(here)
  small.keep(10)
  const large = await room.reserve(here)
  const next = room.reserve(here)
  expect(await isSettled(next)).toBe(false)
  small.release()
  small.release()
  expect(await isSettled(next)).toBe(true)
  large.keep(250)
  const after = room.reserve(here)
  ;(await next).release()
  expect(await isSettled(after)).toBe(false)
  large.release()
  expect(await isSettled(after)).toBe(true)
})

it('forgets a client that is gone, and gives its place to the next', async () => {
  const room = roomFor(1)
  const first = await room.reserve(here)
  const leaving = new AbortController()
  const [gone, next] = [room.reserve(leaving.signal), room.reserve(here)]
  leaving.abort()
  await expect(gone).rejects.toThrow('aborted')
  first.release()
  expect(await isSettled(next)).toBe(true)
})

it('P114: refuses with Overloaded when no room is found in time, before any work is done', async () => {
  const room = roomFor(1, 0.01)
  await room.reserve(here)
  await expect(room.reserve(here)).rejects.toMatchObject({
    errorName: 'Overloaded',
    parameters: { retryAfterSeconds: 2 },
  })
})
