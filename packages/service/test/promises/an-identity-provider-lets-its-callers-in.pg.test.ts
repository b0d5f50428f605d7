import { generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { addGrant } from '../../src/manage/grants.ts'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { startIdentityProvider, testAudience, type Claims } from '../support/identity-provider.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { newTokenOf } from '../support/test-access.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { errorWith } from '../support/named-errors.ts'

const provider = forAllTests(() =>
  startIdentityProvider({ clients: { alice: {}, bob: { groups: ['librarians'] }, carol: {} } }),
)
const service = forAllTests(() => serveOnFreshDatabase({ environment: environmentOf(provider.issuer) }))

const read = 'api:ontologies-read'
const unauthorized = { status: 401, errorName: 'Default:Unauthorized', parameters: {} }

const environmentOf = (issuer: string) => ({ OCTAVO_OIDC_ISSUER: issuer, OCTAVO_OIDC_AUDIENCE: testAudience })

beforeAll(async () => {
  const { rid } = service.ontology
  const { database } = service.store
  await addGrant(database, rid, { principal: { type: 'subject', name: 'alice' }, role: 'reader' })
  await addGrant(database, rid, { principal: { type: 'group', name: 'librarians' }, role: 'reader' })
})

const ask = (token: string, at: TestService = service) =>
  answerOf(at, `/api/v1/ontologies/${service.ontology.rid}`, {
    headers: { authorization: `Bearer ${token}` },
  })

const statusOf = async (token: string, at?: TestService) => (await ask(token, at)).status

const nowSeconds = () => Math.floor(Date.now() / 1_000)

const claims = (changed: Claims = {}) => ({
  iss: provider.issuer,
  aud: testAudience,
  sub: 'alice',
  scope: read,
  iat: nowSeconds(),
  exp: nowSeconds() + 600,
  ...changed,
})

it('P115: a token that the provider gave out is accepted, with the grants of its subject and of its groups', async () => {
  expect(await statusOf(await provider.issue('alice', read))).toBe(200)
  expect(await statusOf(await provider.issue('bob', read))).toBe(200)
  expect(refusalOf(await ask(await provider.issue('carol', read)))).toMatchObject({ status: 404 })
})

it('P117, P118: its scopes are the rights of the caller, by any of their names, as a text or a list', async () => {
  expect(await statusOf(await provider.issue('alice', 'api:read-data'))).toBe(200)
  expect(refusalOf(await ask(await provider.issue('alice', 'api:ontologies-write')))).toEqual(
    errorWith(403, 'ApiUsageDenied', { missingScope: read }),
  )
  expect(await statusOf(await provider.sign(claims({ scope: undefined, scp: [read] })))).toBe(200)
  expect(await statusOf(await provider.sign(claims({ scope: undefined })))).toBe(403)
})

it('P115: a clock that is a minute behind does no harm; a token that ended before that is refused', async () => {
  expect(await statusOf(await provider.sign(claims({ exp: nowSeconds() - 30 })))).toBe(200)
  expect(refusalOf(await ask(await provider.sign(claims({ exp: nowSeconds() - 90 }))))).toEqual(unauthorized)
  expect(refusalOf(await ask(await provider.sign(claims({ nbf: nowSeconds() + 90 }))))).toEqual(unauthorized)
})

it('P115: a token that was accepted before is refused once it has ended', async () => {
  const token = await provider.sign(claims({ exp: nowSeconds() - 58 }))
  expect(await statusOf(token)).toBe(200)
  await expect.poll(() => statusOf(token), { timeout: 5_000 }).toBe(401)
})

it.each<[string, Claims]>([
  ['another audience', { aud: 'urn:another' }],
  ['no audience', { aud: undefined }],
  ['another issuer', { iss: 'https://login.example.com' }],
  ['no issuer', { iss: undefined }],
  ['no end', { exp: undefined }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject that no database can hold', { sub: 'ali\u0000ce' }],
])('P115: a token with %s is refused', async (_, changed) => {
  expect(refusalOf(await ask(await provider.sign(claims(changed))))).toEqual(unauthorized)
})

it('P190: a token of the provider is the caller of the same subject, and nobody is the operator', async () => {
  expect(await statusOf(await provider.sign(claims({ sub: 'alice' })))).toBe(200)
  const own = await newTokenOf(service.store, { subject: 'alice' })
  expect(await statusOf(own.token)).toBe(200)
  const { rid } = service.ontology
  for (const subject of ['operator', 'Operator']) {
    await addGrant(service.store.database, rid, {
      principal: { type: 'subject', name: subject },
      role: 'reader',
    })
    expect(refusalOf(await ask(await provider.sign(claims({ sub: subject }))))).toEqual(unauthorized)
    expect(refusalOf(await ask((await newTokenOf(service.store, { subject })).token))).toEqual(unauthorized)
  }
})

it('P115: a token with alg none is refused', async () => {
  expect(refusalOf(await ask(new UnsecuredJWT({ ...claims() } as JWTPayload).encode()))).toEqual(unauthorized)
  const [, body = ''] = (await provider.sign(claims())).split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  expect(refusalOf(await ask(`${none}.${body}.x`))).toEqual(unauthorized)
})

it('P115: a token signed by HS256 with the public key as its secret is refused', async () => {
  const texts = [JSON.stringify(provider.publicKey()), String(provider.publicKey()['x'])]
  for (const text of texts) {
    for (const kid of ['key-1', undefined]) {
      const token = await new SignJWT({ ...claims() } as JWTPayload)
        .setProtectedHeader({ alg: 'HS256', ...(kid !== undefined && { kid }) })
        .sign(Buffer.from(text))
      expect(refusalOf(await ask(token))).toEqual(unauthorized)
    }
  }
})

it('P115: a token of a key that is not the provider’s is refused, whatever key id it names', async () => {
  const { privateKey } = await generateKeyPair('ES256')
  for (const kid of ['key-1', 'nobody-has-it']) {
    const token = await new SignJWT({ ...claims() } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey)
    expect(refusalOf(await ask(token))).toEqual(unauthorized)
  }
  const [head = '', , signature = ''] = (await provider.sign(claims())).split('.')
  const other = Buffer.from(JSON.stringify(claims({ sub: 'bob' }))).toString('base64url')
  expect(refusalOf(await ask(`${head}.${other}.${signature}`))).toEqual(unauthorized)
})

it('P115: a rotated key is accepted at once, and what the old one signed no longer', async () => {
  const before = await provider.issue('alice', read)
  expect(await statusOf(before)).toBe(200)
  await provider.rotate()
  expect(await statusOf(await provider.issue('alice', read))).toBe(200)
  expect(refusalOf(await ask(before))).toEqual(unauthorized)
})

it('P115, P106: while the provider is down, known keys still work; the caller with an unknown key is told to retry', async () => {
  const known = await provider.sign(claims())
  const unknown = await provider.sign(claims(), { kid: 'not-seen-yet' })
  expect(await statusOf(known)).toBe(200)
  await provider.stop()
  const newlyStarted = await startTestService({
    databaseUrl: service.databaseUrl,
    environment: environmentOf(provider.issuer),
  })
  try {
    expect(await statusOf(known)).toBe(200)
    expect(await statusOf(await provider.sign(claims({ jti: 'another' })))).toBe(200)
    for (const [token, at] of [
      [unknown, service],
      [known, newlyStarted],
    ] as const) {
      const answer = await ask(token, at)
      expect(refusalOf(answer)).toMatchObject({ status: 503, errorName: 'Overloaded' })
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/)
    }
    await provider.start()
    expect(await statusOf(known, newlyStarted)).toBe(200)
    expect(refusalOf(await ask(unknown))).toEqual(unauthorized)
  } finally {
    await newlyStarted.close()
  }
})
