import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccessToken } from '../../src/guard/auth/access-token.ts'
import { refusalOf } from '../support/error-answer.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { newTokenOf } from '../support/test-access.ts'

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
  // The caller's share is checked before the request is parsed: the unknown parameter is not even read.
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

const guess = async (address: string, token = newAccessToken()) => {
  const since = performance.now()
  const response = await guarded.fetch(path, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  })
  return { ...(await answerTo(response)), seconds: (performance.now() - since) / 1_000 }
}

it.each([
  ['well-formed tokens', '203.0.113.9', newAccessToken],
  ['texts that are no tokens', '203.0.113.11', () => 'a-guess-of-a-token'],
])(
  'P189: whoever tries %s is slowed after a few failures and told the same, and nobody else is',
  async (_, address, tokenOf) => {
    for (let i = 0; i < 3; i += 1) expect((await guess(address, tokenOf())).status).toBe(401)
    const slowed = await guess(address, tokenOf())
    expect(refusalOf(slowed)).toMatchObject({ status: 401, errorName: 'Default:Unauthorized' })
    expect(slowed.seconds).toBeGreaterThan(0.9)
    expect(guarded.observations).toContainEqual(expect.objectContaining({ kind: 'guessing-slowed', address }))

    // What a client writes before the part that the proxy adds does not count as a new address.
    expect((await guess(`198.51.100.1, ${address}`, tokenOf())).seconds).toBeGreaterThan(0.9)
    expect((await guess('203.0.113.10', tokenOf())).seconds).toBeLessThan(0.9)
  },
)

it('P189: a valid token that is remembered is served, at once, whatever else comes from its address', async () => {
  for (let i = 0; i < 4; i += 1) await guess('203.0.113.20')
  // The token is cached now, whatever address it came from.
  await guarded.fetch(path)
  const since = performance.now()
  const answer = await guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.20' } })
  expect(answer.status).toBe(200)
  expect(performance.now() - since).toBeLessThan(900)
})

it('P189: a valid token that is not remembered waits a moment there, and works', async () => {
  for (let i = 0; i < 4; i += 1) await guess('203.0.113.21')
  const { token } = await newTokenOf(guarded.store, { subject: 'a newcomer' })
  const answer = await guess('203.0.113.21', token)
  expect(answer.status).toBe(200)
  expect(answer.seconds).toBeGreaterThan(0.5)
})

/** The transactions of all connections to this test's database. */
const statements = async () => {
  // Each connection reports its statistics when it has been idle for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const rows = await guarded.store.database.rows({
    text: 'select xact_commit from pg_stat_database where datname = current_database()',
    values: [],
  })
  return Number(rows[0]?.['xact_commit'])
}

it('P189: hundreds of guesses are a handful of statements', async () => {
  for (let i = 0; i < 3; i += 1) await guess('203.0.113.22')
  const before = await statements()
  const answers = await Promise.all(Array.from({ length: 600 }, () => guess('203.0.113.22')))
  expect(answers.every(({ status }) => status === 401)).toBe(true)
  // These include the statements that check for changes, twice a second.
  expect((await statements()) - before).toBeLessThan(150)
})

it('the log names the address of the client, not that of the proxy', async () => {
  await guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.30' } })
  await expect
    .poll(() => guarded.observations)
    .toContainEqual(expect.objectContaining({ kind: 'request-served', address: '203.0.113.30' }))
})
