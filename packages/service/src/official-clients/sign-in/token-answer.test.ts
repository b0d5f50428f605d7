import { UnsecuredJWT } from 'jose'
import { expect, it } from 'vitest'
import { refusalIn, tokensIn } from './token-answer.ts'

const now = new Date('2026-11-18T12:00:00Z')
const jwtFor = (seconds: number) =>
  new UnsecuredJWT({}).setExpirationTime(now.getTime() / 1_000 + seconds).encode()
const given = (body: Record<string, unknown>) =>
  tokensIn({ status: 200, body: { access_token: jwtFor(300), token_type: 'Bearer', ...body } }, now)

it.each([
  [3_600, 3_600],
  ['3600', 3_600],
  [59.9, 59],
  [undefined, 300],
  [null, 300],
  [0, 300],
  [-1, 300],
  ['soon', 300],
])(
  'P388: expires_in is always a positive number: of the provider (%s), or of the token',
  (expiresIn, seconds) => {
    expect(given({ expires_in: expiresIn })).toMatchObject({ expires_in: seconds, token_type: 'bearer' })
  },
)

it('P388: an id_token and whatever else is not passed on', () => {
  const answer = given({ expires_in: 60, id_token: 'x', refresh_token: 'r', scope: 's', session_state: 'y' })
  expect(answer).toEqual({
    access_token: jwtFor(300),
    token_type: 'bearer',
    expires_in: 60,
    refresh_token: 'r',
    scope: 's',
  })
})

it.each([
  ['no token', { access_token: undefined }],
  ['a token that has ended', { access_token: jwtFor(-1) }],
  ['an opaque token without an end', { access_token: 'opaque' }],
  ['a token that is bound to a key', { token_type: 'DPoP', expires_in: 60 }],
])('with %s, the answer says what the provider has to do', (_, body) => {
  expect(given(body)).toMatchObject({ status: 502, error: 'server_error' })
})

it('P388: a refusal of the provider keeps its status and error, and nothing else', () => {
  expect(
    refusalIn({
      status: 401,
      body: { error: 'invalid_client', error_description: 'x'.repeat(900), trace: 'y' },
    }),
  ).toEqual({ status: 401, error: 'invalid_client', error_description: 'x'.repeat(500) })
  expect(refusalIn({ status: 404, body: {} })).toMatchObject({ status: 404, error: 'invalid_request' })
})
