import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createClient, type RetryNotice } from '../index.ts'
import {
  failureOf,
  keysOf,
  numberedPages,
  scriptedServer,
  type Scripted,
} from '../../test/support/scripted-server.ts'
import { retryAfterSeconds, retryDelay } from './retry-delay.ts'

const pages = numberedPages(3)

it.for([
  ['429', { status: 429, body: 'later' }],
  ['503', { status: 503, body: 'later' }],
  ['502 with HTML', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['a lost connection', { instead: (reply) => void reply.destroy() }],
] as readonly (readonly [string, Scripted])[])(
  'after %s the same page is asked for again, and none is repeated or skipped',
  async ([, trouble]) => {
    const { client, asked } = await scriptedServer((each) => (each.number % 2 === 1 ? trouble : pages(each)))
    expect(await keysOf(client().family('f').objects('o').all())).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, undefined, 't2', 't2', 't3', 't3'])
    // Each attempt has a different request id.
    expect(new Set(asked.map(({ headers }) => headers['x-request-id'])).size).toBe(6)
  },
)

it.for([
  [503, 'Melting', {}, 2],
  [400, 'Melting', {}, 1],
  [400, 'InvalidPageToken', { reason: 'melted' }, 1],
] as const)(
  'P432: the status says what to do about %i %s, and the words of the service are shown',
  async ([status, errorName, parameters, attempts]) => {
    const body = { errorCode: 'MELTING', errorName, parameters, errorDescription: 'Wait for the winter.' }
    const { client, asked } = await scriptedServer(() => ({ status, body }))
    const failure = await failureOf(keysOf(client({ retries: 1 }).family('f').objects('o').all()))
    expect(failure).toMatchObject({ errorName, status, parameters, errorCode: 'MELTING' })
    expect(failure.message).toBe(`${errorName}: Wait for the winter.`)
    expect(asked).toHaveLength(attempts)
  },
)

it('waits as long as Retry-After says', async () => {
  const { client } = await scriptedServer((each) =>
    each.number === 1 ? { status: 429, headers: { 'retry-after': '1' } } : pages(each),
  )
  const startedAt = performance.now()
  await keysOf(client().family('f').objects('o').all())
  expect(performance.now() - startedAt).toBeGreaterThan(990)
})

it('fails at once if it would have to wait too long', async () => {
  const { client, asked } = await scriptedServer(() => ({
    status: 503,
    headers: { 'retry-after': '3600' },
    body: {
      errorName: 'Overloaded',
      errorDescription: 'Come again later.',
      parameters: { retryAfterSeconds: 3600 },
    },
  }))
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure).toMatchObject({
    errorName: 'Overloaded',
    status: 503,
    parameters: { retryAfterSeconds: 3600 },
  })
  expect(asked).toHaveLength(1)
})

it('reads Retry-After as seconds and as a date', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(retryAfterSeconds('7', now)).toBe(7)
  expect(retryAfterSeconds('Sun, 15 Nov 2026 12:00:30 GMT', now)).toBe(30)
  expect(retryAfterSeconds('Sun, 15 Nov 2026 11:00:00 GMT', now)).toBe(0)
  expect(retryAfterSeconds('soon', now)).toBeUndefined()
  expect(retryAfterSeconds(null, now)).toBeUndefined()
})

it('pauses grow, are spread, and are bounded', () => {
  const delays = (retry: number) =>
    Array.from({ length: 200 }, () => retryDelay(retry, { backoffMilliseconds: 100 }))
  expect(Math.max(...delays(0))).toBeLessThanOrEqual(100)
  expect(Math.max(...delays(3))).toBeGreaterThan(400)
  expect(Math.max(...delays(30))).toBeLessThanOrEqual(10_000)
  expect(new Set(delays(3)).size).toBeGreaterThan(100)
  expect(retryDelay(0, { backoffMilliseconds: 100, afterSeconds: 2 })).toBeGreaterThanOrEqual(2_000)
})

it('what the caller must change is not sent again', async () => {
  const { client, asked } = await scriptedServer(() => ({
    status: 400,
    body: {
      errorCode: 'INVALID_ARGUMENT',
      errorName: 'PropertiesNotSortable',
      errorInstanceId: '5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11',
      errorDescription: 'Choose another order.',
      parameters: { properties: ['age'], declaration: '"sortable": true' },
    },
  }))
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure).toMatchObject({
    name: 'OctavoError',
    message: 'PropertiesNotSortable: Choose another order.',
    errorName: 'PropertiesNotSortable',
    errorCode: 'INVALID_ARGUMENT',
    errorInstanceId: '5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11',
    status: 400,
    parameters: { properties: ['age'], declaration: '"sortable": true' },
  })
  expect(asked).toHaveLength(1)
})

it('asks for a token for every page, and for a new one when it was refused', async () => {
  const { client, asked } = await scriptedServer((each) =>
    each.headers.authorization === 'Bearer expired'
      ? {
          status: 401,
          body: { errorCode: 'UNAUTHORIZED', errorName: 'Default:Unauthorized', parameters: {} },
        }
      : pages(each),
  )
  const calls: boolean[] = []
  const token = async ({ refused }: { readonly refused: boolean }) => {
    calls.push(refused)
    return calls.length === 2 ? 'expired' : `token-${calls.length}`
  }
  expect(await keysOf(client({ token }).family('f').objects('o').all())).toHaveLength(6)
  expect(calls).toEqual([false, false, true, false])
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer expired',
    'Bearer token-3',
    'Bearer token-4',
  ])
  const failure = await failureOf(keysOf(client({ token: 'expired' }).family('f').objects('o').all()))
  expect(failure.message).toContain('Pass `token` as a function that returns a valid one')
})

it('gives up a request that takes too long', async () => {
  const { client } = await scriptedServer(async (each) => {
    await sleep(1_000)
    return pages(each)
  })
  const failure = await failureOf(
    keysOf(client({ timeoutSeconds: 0.05, retries: 1 }).family('f').objects('o').all()),
  )
  expect(failure).toMatchObject({ errorName: 'RequestTimedOut', parameters: { timeoutSeconds: 0.05 } })
})

it('says what cannot be reached', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1/', token: 't', retries: 1, backoffMilliseconds: 1 })
  const failure = await failureOf(keysOf(client.family('f').objects('o').all()))
  expect(failure).toMatchObject({ errorName: 'NetworkFailure' })
  expect(failure.message).toContain('http://127.0.0.1:1 could not be reached')
})

it('onRetry gets before every retry which attempt failed, how long the client waits, and why', async () => {
  const notices: RetryNotice[] = []
  let fetched = 0
  const { client } = await scriptedServer((each) => {
    if (each.number === 1) return { status: 429, headers: { 'retry-after': '0' }, body: 'later' }
    if (each.number === 2) return { instead: (reply) => void reply.destroy() }
    if (each.number === 3) return { status: 401, body: { errorName: 'Default:Unauthorized' } }
    return numberedPages(1)(each)
  })
  const token = () => `secret-${(fetched += 1)}`
  const objects = client({ token, backoffMilliseconds: 20, onRetry: (retry) => void notices.push(retry) })
    .family('f')
    .objects('o')
  expect(await keysOf(objects.all())).toEqual(['1', '2'])
  expect(notices.map(({ attempt, cause }) => [attempt, cause.errorName])).toEqual([
    [1, 'UnreadableAnswer'],
    [2, 'NetworkFailure'],
    [3, 'Default:Unauthorized'],
  ])
  expect(notices.every(({ waitMilliseconds }) => waitMilliseconds >= 0 && waitMilliseconds <= 40)).toBe(true)
  expect(notices.at(-1)?.waitMilliseconds).toBe(0)
})

it('an error that onRetry throws ends the request with that error, and the last failure is no retry', async () => {
  const { client, asked } = await scriptedServer(() => ({ status: 503, body: 'later' }))
  const enough = new Error('enough')
  const onRetry = ({ attempt }: RetryNotice) => {
    if (attempt === 2) throw enough
  }
  expect(await failureOf(client({ onRetry }).ontologies().firstPage())).toBe(enough)
  expect(asked).toHaveLength(2)
  let notices = 0
  await failureOf(
    client({ retries: 1, onRetry: () => void (notices += 1) })
      .ontologies()
      .firstPage(),
  )
  expect(notices).toBe(1)
})

it('a walk that is aborted while its token is fetched sends nothing', async () => {
  const { client, asked } = await scriptedServer(pages)
  const stop = new AbortController()
  const token = async () => {
    stop.abort(new Error('stopped'))
    return 'a-token'
  }
  const walk = client({ token }).family('f').objects('o').all({ signal: stop.signal })
  await expect(keysOf(walk)).rejects.toThrow('stopped')
  expect(asked).toHaveLength(0)
})

it('a walk that is aborted in onRetry does not wait for the retry', async () => {
  const { client } = await scriptedServer(() => ({ status: 429, headers: { 'retry-after': '20' } }))
  const stop = new AbortController()
  const onRetry = () => stop.abort(new Error('stopped'))
  const walk = client({ onRetry }).family('f').objects('o').all({ signal: stop.signal })
  const startedAt = performance.now()
  await expect(keysOf(walk)).rejects.toThrow('stopped')
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})
