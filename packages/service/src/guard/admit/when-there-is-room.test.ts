import { expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { overloaded } from './shed.ts'
import { whenThereIsRoom, type Patience } from './when-there-is-room.ts'

const patience = (milliseconds: number, signals: Partial<Patience> = {}): Patience => ({
  milliseconds,
  signal: new AbortController().signal,
  stopping: new AbortController().signal,
  ...signals,
})

/** Refuses this often, then returns how often it was called. */
function refusing(times: number, refusal: Error = overloaded('waited', 1)) {
  const work = {
    calls: 0,
    run: async () => {
      work.calls += 1
      if (work.calls <= times) throw refusal
      return work.calls
    },
  }
  return work
}

it('P266: a refused request is sent again when the refusal says so', async () => {
  const since = performance.now()
  expect(await whenThereIsRoom(patience(60_000), refusing(1).run)).toBe(2)
  expect(performance.now() - since).toBeGreaterThanOrEqual(990)
})

it('P266: it gives up at once if its patience would be over before it may come back', async () => {
  const work = refusing(10, overloaded('queue', 30))
  await expect(whenThereIsRoom(patience(29_000), work.run)).rejects.toMatchObject({ errorName: 'Overloaded' })
  expect(work.calls).toBe(1)
})

it('gives up when nobody waits any more, and with the refusal when the instance stops', async () => {
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(whenThereIsRoom(patience(60_000, { signal: gone }), refusing(9).run)).rejects.toThrow('gone')
  const stopping = AbortSignal.abort()
  const work = refusing(9)
  await expect(whenThereIsRoom(patience(60_000, { stopping }), work.run)).rejects.toMatchObject({
    errorName: 'Overloaded',
  })
  expect(work.calls).toBe(1)
})

it('other failures are not tried again: a database that is lost has no queue', async () => {
  const work = refusing(1, new ServiceError('Overloaded', { retryAfterSeconds: 0 }))
  await expect(whenThereIsRoom(patience(60_000), work.run)).rejects.toMatchObject({ errorName: 'Overloaded' })
  expect(work.calls).toBe(1)
})
