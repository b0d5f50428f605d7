// The token endpoint of sign-in, as any client of OAuth would use it.
import { createHash, randomBytes } from 'node:crypto'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { appId, appUri, machineId, serveSignIn } from '../../../test/support/serve-sign-in.ts'
import { signInByForm } from '../../../test/support/sign-in-by-form.ts'

const service = forAllTests(serveSignIn)

const path = '/multipass/api/oauth2'
const origin = 'http://localhost:5173'
const secrets: string[] = []

const post = (endpoint: string, form: URLSearchParams | Record<string, string>, headers = {}) =>
  fetch(`${service.url}${path}/${endpoint}`, {
    method: 'POST',
    headers: { origin, ...headers },
    body: new URLSearchParams(form),
  })

type Tokens = Readonly<Record<'access_token' | 'refresh_token', string>>

const answerOf = async (answer: Promise<Response>) => {
  const got = await answer
  return { status: got.status, body: (await got.json()) as Tokens }
}

/** A person signs in, as far as the code. */
async function newCode(scope = 'offline_access api:read-data') {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: appId,
    redirect_uri: appUri,
    state: 'mine',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope,
  })
  const back = await signInByForm(`${service.url}${path}/authorize?${query.toString()}`, {
    login: 'mira',
    until: (address) => address.startsWith(appUri),
  })
  const code = new URL(back).searchParams.get('code') ?? ''
  secrets.push(code, verifier)
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: appUri,
    client_id: appId,
  }
}

it('P388: a code is worth tokens once, with an end and without an id_token, for browsers of configured origins', async () => {
  const form = await newCode()
  const first = await post('token?state=mine', form)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('access-control-allow-origin')).toBe(origin)
  const tokens = (await first.json()) as Tokens
  expect(tokens).toEqual({
    access_token: expect.any(String),
    token_type: 'bearer',
    expires_in: expect.any(Number),
    refresh_token: expect.any(String),
    scope: expect.stringContaining('api:ontologies-read'),
  })
  secrets.push(tokens.access_token, tokens.refresh_token)
  expect(await answerOf(post('token', form))).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: expect.any(String) },
  })
})

it('P388: a refresh token is worth new tokens until it is revoked', async () => {
  const { body: first } = await answerOf(post('token', await newCode()))
  const refresh = (token: string) =>
    answerOf(post('token', { grant_type: 'refresh_token', refresh_token: token, client_id: appId }))
  const { status, body: second } = await refresh(first.refresh_token)
  expect(status).toBe(200)
  expect(second).toMatchObject({ token_type: 'bearer', access_token: expect.any(String) })
  expect(second).not.toHaveProperty('id_token')
  const list = await fetch(`${service.url}/api/v2/ontologies`, {
    headers: { authorization: `Bearer ${second.access_token}` },
  })
  expect(list.status).toBe(200)
  const revoked = await post('revoke_token', { token: second.refresh_token, client_id: appId })
  expect([revoked.status, await revoked.text()]).toEqual([200, ''])
  expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

it('P389: what the provider does not revoke is said, in its own words', async () => {
  const { body } = await answerOf(post('token', await newCode('api:read-data')))
  expect(body).not.toHaveProperty('refresh_token')
  expect(await answerOf(post('revoke_token', { token: body.access_token, client_id: appId }))).toMatchObject({
    status: 400,
    body: { error: 'unsupported_token_type' },
  })
})

it('P388: a code does not work without the verifier of its challenge, nor for another address', async () => {
  const form = await newCode()
  const { code_verifier: _, ...without } = form
  for (const [changed, error] of [
    [without, 'invalid_request'],
    [{ ...form, redirect_uri: 'https://evil.example.com/' }, 'invalid_grant'],
    [{ ...form, code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
  ] as const) {
    expect(await answerOf(post('token', changed))).toEqual({
      status: 400,
      body: { error, error_description: expect.any(String) },
    })
  }
})

it('P388: what is not a request for tokens is refused, without asking the provider', async () => {
  for (const [form, error] of [
    [{}, 'unsupported_grant_type'],
    [{ grant_type: 'password', username: 'mira', password: 'any' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [new URLSearchParams('grant_type=client_credentials&client_id=a&client_id=b'), 'invalid_request'],
  ] as const) {
    expect(await answerOf(post('token', form))).toMatchObject({ status: 400, body: { error } })
  }
  const json = await fetch(`${service.url}${path}/token`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'grant_type=client_credentials',
  })
  expect(json.status).toBe(415)
  const large = await post('token', { grant_type: 'x'.repeat(40_000) })
  expect(large.status).toBe(413)
})

it('P388: a client that is refused by its secret gets the error of OAuth', async () => {
  const authorization = `Basic ${Buffer.from(`${machineId}:wrong`).toString('base64')}`
  const answer = await post('token', { grant_type: 'client_credentials' }, { authorization })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('Basic')
  expect(await answer.json()).toMatchObject({ error: 'invalid_client' })
})

it('P389: nothing of it is in what the service reports', () => {
  const reported = JSON.stringify(service.observations)
  expect(reported).toContain(`${path}/token`)
  expect(secrets.length).toBeGreaterThan(8)
  for (const secret of secrets) expect(reported).not.toContain(secret)
})

it('P388: while the provider is down, clients are asked to try again', async () => {
  await service.provider.close()
  const answer = await post('token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: appId })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(await answer.json()).toMatchObject({ errorName: 'Overloaded' })
})
