import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { startIdentityProvider, testAudience } from '../../../test/support/identity-provider.ts'
import { readJson } from './discovery.ts'
import { jwtVerification } from './verify-jwt.ts'

const provider = forAllTests(() =>
  startIdentityProvider({ clients: { ada: { groups: ['staff'], department: 'maps' } } }),
)

const verification = (time: { ms: number }) =>
  jwtVerification({
    issuer: provider.issuer,
    audience: testAudience,
    groupsClaim: 'groups',
    now: () => new Date(),
    elapsed: () => time.ms,
    leastBetweenMs: 0,
  })

it('gives the subject, the groups, the rights and every claim of a token', async () => {
  const verify = verification({ ms: 0 })
  expect(await verify(await provider.issue('ada', 'api:read-data api:ontologies-write'))).toMatchObject({
    subject: 'ada',
    groups: ['staff'],
    rights: new Set(['read', 'write']),
    claims: { department: 'maps', aud: testAudience },
  })
})

it('looks at a token once, and again when the provider has other keys than before', async () => {
  const time = { ms: 0 }
  const verify = verification(time)
  const token = await provider.issue('ada', 'api:ontologies-read')
  const caller = await verify(token)
  expect(await verify(token)).toBe(caller)
  await provider.rotate()
  time.ms += 299_000
  expect(await verify(token)).toBe(caller)
  // Keys are fetched again after five minutes, in the background of the request that notices it.
  time.ms += 2_000
  expect(await verify(token)).toBe(caller)
  await expect.poll(() => verify(token)).toBeUndefined()
})

it('continues with the keys it has while the provider is down for long', async () => {
  const time = { ms: 0 }
  const verify = verification(time)
  const token = await provider.issue('ada', 'api:ontologies-read')
  const caller = await verify(token)
  await provider.stop()
  time.ms += 3_600_000
  expect(await verify(token)).toBe(caller)
  time.ms += 3_600_000
  expect(await verify(token)).toBe(caller)
  await provider.start()
})

it('knows a key at once that the provider has changed under its old id', async () => {
  const verify = verification({ ms: 0 })
  const claims = {
    iss: provider.issuer,
    aud: testAudience,
    sub: 'ada',
    exp: Math.floor(Date.now() / 1_000) + 60,
  }
  expect(await verify(await provider.sign(claims))).toBeDefined()
  await provider.rotate({ keepsId: true })
  const token = await provider.sign(claims)
  // Its connections to the provider have ended with it.
  await expect.poll(() => verify(token).catch(() => undefined)).toBeDefined()
})

it('an endless answer of the provider is not read to its end', async () => {
  let sent = 0
  const endless = createServer((_request, response) => {
    const write = (): void => {
      sent += 1
      if (sent < 400) response.write('x'.repeat(65_536), () => setImmediate(write))
    }
    write()
  })
  endless.listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const { port } = endless.address() as AddressInfo
  try {
    await expect(readJson(`http://127.0.0.1:${port}/keys`)).rejects.toThrow('does not answer as it should')
    expect(sent).toBeLessThan(200)
  } finally {
    endless.closeAllConnections()
    endless.close()
  }
})
