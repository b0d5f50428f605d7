import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { newAccessToken } from '../../src/guard/auth/access-token.ts'
import { refusalOf } from '../support/error-answer.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { newTokenOf } from '../support/test-access.ts'
import { errorWith } from '../support/named-errors.ts'

const limited = forAllTests(() =>
  serveOnFreshDatabase({ environment: { OCTAVO_RATE_LIMIT_PER_SECOND: '1', OCTAVO_RATE_LIMIT_BURST: '3' } }),
)
const guarded = forAllTests(() => serveOnFreshDatabase({ environment: { OCTAVO_TRUSTED_PROXY_HOPS: '1' } }))

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
  expect(refusalOf(refused)).toEqual(errorWith(429, 'RateLimited', { retryAfterSeconds: 1 }))
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

const guess = async (address: string, token = newAccessToken()) =>
  answerTo(
    await guarded.fetch(path, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address } }),
  )

it('P189: a valid token is served, whatever else comes from its address', async () => {
  const { token } = await newTokenOf(guarded.store, { subject: 'a newcomer' })
  const guesses = Array.from({ length: 100 }, () => guess('203.0.113.20'))
  const [newcomer, remembered] = await Promise.all([
    guess('203.0.113.20', token),
    guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.20' } }),
  ])
  expect([newcomer.status, remembered.status]).toEqual([200, 200])
  for (const refused of await Promise.all(guesses))
    expect(refusalOf(refused)).toMatchObject({ status: 401, errorName: 'Default:Unauthorized' })
})

it('the log names the address of the client, not that of the proxy', async () => {
  await guarded.fetch(path, { headers: { 'x-forwarded-for': '203.0.113.30' } })
  await expect
    .poll(() => guarded.observations)
    .toContainEqual(expect.objectContaining({ kind: 'request-served', address: '203.0.113.30' }))
})
