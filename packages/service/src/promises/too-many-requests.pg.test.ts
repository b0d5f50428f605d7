import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '../testing/error-answer.ts'
import { serveOnFreshDatabase, type PromisedService } from '../testing/serve-on-fresh-database.ts'
import { newTokenOf } from '../testing/test-access.ts'

let limited: PromisedService
let guarded: PromisedService

beforeAll(async () => {
  limited = await serveOnFreshDatabase({
    environment: { OCTAVO_RATE_LIMIT_PER_SECOND: '1', OCTAVO_RATE_LIMIT_BURST: '3' },
  })
  guarded = await serveOnFreshDatabase({
    environment: { OCTAVO_FAILED_AUTHENTICATIONS_PER_MINUTE: '3', OCTAVO_TRUSTED_PROXY_HOPS: '1' },
  })
})
afterAll(async () => {
  await limited.close()
  await guarded.close()
})

const answerTo = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
})

const path = '/api/v1/ontologies'

it('P106, P114: a caller past its share is refused with RateLimited and when to come back, others are not', async () => {
  const answers = []
  for (let i = 0; i < 6; i += 1) answers.push(await answerTo(await limited.fetch(`${path}?limit=1`)))
  // The share is looked at before the request is: the unknown parameter is not even read.
  expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([400, 400, 400])
  const refused = answers.find(({ status }) => status === 429)
  if (refused === undefined) throw new Error('nothing was refused')
  expect(refusalOf(refused)).toEqual({
    status: 429,
    errorName: 'RateLimited',
    parameters: { retryAfterSeconds: 1 },
  })
  expect(refused.headers.get('retry-after')).toBe('1')

  const { token } = await newTokenOf(limited.store, { subject: 'somebody else' })
  const other = await limited.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  expect(other.status).toBe(200)

  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect((await limited.fetch(path)).status).toBe(200)
})

it('P114: no share is taken for a request without valid credentials', async () => {
  const { token } = await newTokenOf(limited.store, { subject: 'a third' })
  for (let i = 0; i < 10; i += 1) await limited.fetch(path, { headers: { authorization: 'Bearer nobody' } })
  const answer = await limited.fetch(path, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
})

const guess = async (address: string) => {
  const since = performance.now()
  const response = await guarded.fetch(path, {
    headers: { authorization: 'Bearer a-guess-of-a-token', 'x-forwarded-for': address },
  })
  return { ...(await answerTo(response)), seconds: (performance.now() - since) / 1_000 }
}

it('P106: whoever tries credentials is slowed after a few failures, and nobody else is', async () => {
  for (let i = 0; i < 3; i += 1) expect((await guess('203.0.113.9')).status).toBe(401)
  const slowed = await guess('203.0.113.9')
  expect(refusalOf(slowed)).toMatchObject({ status: 429, errorName: 'RateLimited' })
  expect(slowed.headers.get('www-authenticate')).toBeNull()
  expect(slowed.seconds).toBeGreaterThan(0.9)
  expect(guarded.observations).toContainEqual(
    expect.objectContaining({ kind: 'guessing-slowed', address: '203.0.113.9' }),
  )

  // What a client writes in front of what the proxy adds is no new address.
  expect((await guess('198.51.100.1, 203.0.113.9')).status).toBe(429)
  expect((await guess('203.0.113.10')).status).toBe(401)
})

it('a valid token is served, at once, whatever else comes from its address', async () => {
  for (let i = 0; i < 4; i += 1) await guess('203.0.113.20')
  const since = performance.now()
  const answer = await guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.20' } })
  expect(answer.status).toBe(200)
  expect(performance.now() - since).toBeLessThan(900)
})

it('the log names the address of the client, not that of the proxy', async () => {
  await guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.30' } })
  await expect
    .poll(() => guarded.observations)
    .toContainEqual(expect.objectContaining({ kind: 'request-served', address: '203.0.113.30' }))
})
