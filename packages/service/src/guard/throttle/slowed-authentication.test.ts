import { expect, it } from 'vitest'
import type { FindCaller } from '../auth/authenticate-caller.ts'
import type { Caller } from '../auth/caller.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Observation } from '../../observe/observation.ts'
import { failedTries } from './failed-tries.ts'
import { slowedAuthentication } from './slowed-authentication.ts'

const ada: Caller = { subject: 'ada', groups: [], rights: new Set(), claims: {} }
const pauseMilliseconds = 300

function guarded({ mostWaiting = 10 } = {}) {
  const lookups: string[] = []
  const observations: Observation[] = []
  const find: FindCaller = async (authorization, beforeLookup) => {
    if (authorization === 'remembered') return ada
    if (authorization === 'malformed') throw new ServiceError('Default:Unauthorized', {})
    await beforeLookup()
    lookups.push(authorization ?? '')
    if (authorization === 'valid') return ada
    throw new ServiceError('Default:Unauthorized', {})
  }
  const authenticate = slowedAuthentication(find, {
    tries: failedTries({ perMinute: 2, mostAddresses: 10, elapsed: () => 0 }),
    observe: (observation) => observations.push(observation),
    pauseMilliseconds,
    mostWaiting,
  })
  /** Returns the subject or the name of the error, and how many milliseconds it took. */
  const ask = async (authorization: string, network = 'a') => {
    const since = performance.now()
    const outcome = await authenticate({ authorization, network: () => network }).then(
      ({ subject }) => subject,
      (error: unknown) => (error instanceof ServiceError ? error.errorName : String(error)),
    )
    return { outcome, took: performance.now() - since }
  }
  const failTwice = async () => {
    for (let i = 0; i < 2; i += 1) await ask('guess')
    lookups.splice(0)
  }
  return { ask, failTwice, lookups, observations }
}

const aPause = pauseMilliseconds - 10

it.each(['guess', 'malformed'])(
  'P189: after too many failures %s is refused as before, only later, and elsewhere at once',
  async (authorization) => {
    const { ask, observations } = guarded()
    for (let i = 0; i < 2; i += 1) {
      const { outcome, took } = await ask(authorization)
      expect(outcome).toBe('Default:Unauthorized')
      expect(took).toBeLessThan(aPause)
    }
    for (let i = 0; i < 2; i += 1) {
      const slowed = await ask(authorization)
      expect(slowed.outcome).toBe('Default:Unauthorized')
      expect(slowed.took).toBeGreaterThan(aPause)
      expect(slowed.took).toBeLessThan(2 * aPause)
    }
    expect((await ask(authorization, 'b')).took).toBeLessThan(aPause)
    expect(observations).toEqual([{ kind: 'guessing-slowed', address: 'a', seconds: 60 }])
  },
)

it('P189: what is remembered is let in at once, what is not waits for its turn and is let in', async () => {
  const { ask, failTwice } = guarded()
  await failTwice()
  const remembered = await ask('remembered')
  expect(remembered.outcome).toBe('ada')
  expect(remembered.took).toBeLessThan(aPause)
  const valid = await ask('valid')
  expect(valid.outcome).toBe('ada')
  expect(valid.took).toBeGreaterThan(aPause)
})

it('P189: all that wait are looked up together, after the pause', async () => {
  const { ask, failTwice, lookups } = guarded()
  await failTwice()
  const all = Array.from({ length: 8 }, () => ask('guess'))
  await new Promise((resolve) => setTimeout(resolve, aPause / 2))
  expect(lookups).toHaveLength(0)
  const took = (await Promise.all(all)).map((answer) => answer.took)
  expect(lookups).toHaveLength(8)
  expect(Math.max(...took) - Math.min(...took)).toBeLessThan(aPause)
})

it('P189: where too many wait, further ones are refused with RateLimited and not looked up', async () => {
  const { ask, failTwice, lookups } = guarded({ mostWaiting: 2 })
  await failTwice()
  const outcomes = (await Promise.all(Array.from({ length: 5 }, () => ask('valid')))).map(
    ({ outcome }) => outcome,
  )
  expect(outcomes).toEqual(['ada', 'ada', 'RateLimited', 'RateLimited', 'RateLimited'])
  expect(lookups).toHaveLength(2)
})
