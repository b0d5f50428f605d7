// What the identity provider cannot check, because it only sees the callback of the service.
import { createHash, randomBytes } from 'node:crypto'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { pageTokenKeys } from '../../config/page-token-key.ts'
import { sealedStates, signInSeconds } from '../sign-in/sealed-state.ts'
import { tokenSealer } from '../../read/token/token-sealer.ts'
import { testAudience } from '../../../test/support/identity-provider.ts'
import { appId, appUri, otherAppUri, serveSignIn } from '../../../test/support/serve-sign-in.ts'
import { startTestService, testKey } from '../../../test/support/start-test-service.ts'

const service = forAllTests(serveSignIn)

const path = '/multipass/api/oauth2'
const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url')
const wanted = {
  response_type: 'code',
  client_id: appId,
  redirect_uri: appUri,
  state: 'the state of the app',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  scope: 'offline_access api:read-data api:write-data',
}

const get = (endpoint: string, query: URLSearchParams | Record<string, string>) =>
  fetch(`${service.url}${path}/${endpoint}?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })

const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'none:')

/** The whole answer, because none of it may lead anywhere. */
const answerOf = async (answer: Response) => ({
  status: answer.status,
  location: answer.headers.get('location'),
  body: await answer.json(),
})

const refusedFor = (parameterId: string) => ({
  status: 400,
  location: null,
  body: expect.objectContaining({
    errorName: 'InvalidParameterValue',
    parameters: { parameterId, parameterValue: '', expected: expect.any(String) },
  }),
})

it('P389: asks the provider for what the deployment says, and for offline_access only if the app does', async () => {
  const to = locationOf(await get('authorize', wanted))
  expect(to.origin).toBe(service.provider.issuer)
  const { state, ...others } = Object.fromEntries(to.searchParams)
  expect(others).toEqual({
    response_type: 'code',
    client_id: appId,
    redirect_uri: service.callback,
    scope: 'openid api:ontologies-read offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: testAudience,
    audience: testAudience,
    prompt: 'consent',
  })
  expect(state).not.toContain('state of the app')
  const plain = locationOf(await get('authorize', { ...wanted, scope: 'api:read-data' }))
  expect(plain.searchParams.get('scope')).toBe('openid api:ontologies-read')
  expect(plain.searchParams.has('prompt')).toBe(false)
})

it.each([
  '',
  'https://evil.example.com/auth/callback',
  `${appUri}/`,
  `${appUri}?next=https://evil.example.com`,
  `${appUri}#x`,
  'http://localhost:5173/auth/callback/../../other',
  'http://localhost:5173/AUTH/callback',
  'http://LOCALHOST:5173/auth/callback',
  'http://localhost:5174/auth/callback',
  'http://localhost:5173@evil.example.com/auth/callback',
  'https://other.example.com/back',
  '//evil.example.com',
  'javascript:alert(1)',
])('P386: a redirect_uri that is not exactly one of the list is answered with 400: %s', async (uri) => {
  const answer = await answerOf(await get('authorize', { ...wanted, redirect_uri: uri }))
  expect(answer).toEqual(refusedFor('redirect_uri'))
  if (uri !== '') expect(JSON.stringify(answer)).not.toContain(uri)
})

it('P386: so are none, several, and no client', async () => {
  const { redirect_uri: _, ...without } = wanted
  expect(await answerOf(await get('authorize', without))).toEqual(refusedFor('redirect_uri'))
  const several = new URLSearchParams(wanted)
  several.append('redirect_uri', appUri)
  expect(await answerOf(await get('authorize', several))).toEqual(refusedFor('redirect_uri'))
  expect(await answerOf(await get('authorize', { ...wanted, client_id: '' }))).toEqual(
    refusedFor('client_id'),
  )
})

it.each([
  ['no challenge', { code_challenge: '' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
  ['another way to sign in', { response_type: 'token' }, 'unsupported_response_type'],
])('P386: with %s, the app is told, and nobody is sent to the provider', async (_, changed, error) => {
  const to = locationOf(await get('authorize', { ...wanted, ...changed }))
  expect(`${to.origin}${to.pathname}`).toBe(appUri)
  expect(Object.fromEntries(to.searchParams)).toEqual({
    error,
    error_description: expect.any(String),
    state: wanted.state,
  })
})

it('P386: a state that is too long is refused', async () => {
  const to = locationOf(await get('authorize', { ...wanted, state: 'x'.repeat(1_025) }))
  expect(to.searchParams.get('error')).toBe('invalid_request')
})

const keysOf = (id: string, byte: number) => {
  const keys = pageTokenKeys.parse(testKey(id, byte))
  if (keys === undefined) throw new Error('no keys')
  return keys
}
const ago = (seconds: number) => () => new Date(Date.now() - seconds * 1_000)
const sealedBy = (byte: number, now = () => new Date(), redirectUri = appUri) =>
  sealedStates(keysOf('a', byte), now).seal({ redirectUri, state: 'mine' })

it('P387: any instance with the keys sends people back, with the code and the state and nothing else', async () => {
  const iss = service.provider.issuer
  const to = locationOf(await get('callback', { code: 'abc', state: sealedBy(1), iss, session_state: 'x' }))
  expect(to.href).toBe(`${appUri}?code=abc&state=mine`)
  const other = await get('callback', {
    code: 'abc',
    state: sealedBy(1, ago(signInSeconds - 5), otherAppUri),
  })
  expect(locationOf(other).href).toBe(`${otherAppUri}&code=abc&state=mine`)
})

it('P387: an error of the provider is passed on in the same way', async () => {
  const query = { error: 'access_denied', error_description: 'No.', error_uri: 'https://evil.example.com' }
  const to = locationOf(await get('callback', { ...query, state: sealedBy(1) }))
  expect(to.href).toBe(`${appUri}?error=access_denied&error_description=No.&state=mine`)
})

it('P387: a state that is expired, changed, of other keys or of another kind leads nowhere', async () => {
  const good = sealedBy(1)
  const bytes = Buffer.from(good, 'base64url')
  const changed = [0, 1, 2, 5, 20, 40, bytes.length - 1].map((at) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
    return copy.toString('base64url')
  })
  const snapshot = tokenSealer(keysOf('a', 1)).sealSnapshot({ ontologyRid: 'ri.x', versions: new Map() })
  const states = [
    sealedBy(1, ago(signInSeconds + 2)),
    sealedBy(2),
    sealedBy(1, ago(0), 'https://evil.example.com/'),
    snapshot,
    '',
    `${good}A`,
    ...changed,
  ]
  for (const state of states)
    expect(await answerOf(await get('callback', { code: 'abc', state }))).toEqual(refusedFor('state'))
  expect((await get('callback', { code: 'abc', state: good })).status).toBe(302)
  expect(tokenSealer(keysOf('a', 1)).open(good)).toBeUndefined()
})

it('P387: an answer of another provider is refused', async () => {
  const query = { code: 'abc', state: sealedBy(1), iss: 'https://evil.example.com' }
  expect(await answerOf(await get('callback', query))).toEqual(refusedFor('iss'))
})

it('P385: without the option there is nothing at these paths', async () => {
  const plain = await startTestService({
    databaseUrl: service.databaseUrl,
    environment: { OCTAVO_OIDC_ISSUER: service.provider.issuer, OCTAVO_OIDC_AUDIENCE: testAudience },
  })
  for (const [method, endpoint] of [
    ['GET', `authorize?${new URLSearchParams(wanted).toString()}`],
    ['GET', 'callback'],
    ['POST', 'token'],
    ['POST', 'revoke_token'],
  ] as const) {
    const answer = await fetch(`${plain.url}${path}/${endpoint}`, { method, redirect: 'manual' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ errorName: 'PathNotFound' })
  }
  await plain.close()
})

it('P389: a network that sends too many requests is refused some of them', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => get('callback', {})))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
  await Promise.all(answers.map((answer) => answer.text()))
})
