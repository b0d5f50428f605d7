// The cost of authentication: of the function alone, and as a share of a whole request for a page.
import {
  accessSource,
  callerAuthentication,
  type AuthenticateCaller,
  jwtVerification,
  openAccess,
} from '../../packages/service/test/inside.ts'
import { startIdentityProvider, testAudience } from '../../packages/service/test/support/identity-provider.ts'
import { listing } from '../../packages/service/test/support/page-revisions.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withServedAccess, type ServedAccess } from './served-access.ts'

const mostMicroseconds = 50

export async function proveCost(proof: Proof): Promise<void> {
  await proof.point(
    `A verified JWT costs less than ${mostMicroseconds} microseconds a request at the median`,
    () => withServedAccess((served) => showCost(proof, served)),
  )
}

async function showCost({ short, say }: Proof, { instances, collection }: ServedAccess): Promise<string> {
  const [{ store, fetch: send }] = instances
  const provider = await startIdentityProvider({ clients: { somebody: {} } })
  try {
    const clocks = { now: () => new Date(), elapsed: () => performance.now() }
    const verifyJwt = jwtVerification({
      issuer: provider.issuer,
      audience: testAudience,
      groupsClaim: 'groups',
      ...clocks,
    })
    const access = openAccess({ source: accessSource(store.database), ...clocks })
    const authenticate = callerAuthentication({ access, verifyJwt, ...clocks })
    const token = await provider.issue('somebody', 'api:ontologies-read')
    const calls = short ? 20_000 : 100_000
    const on = await medianMicroseconds(authenticate, token, calls)
    const caller = await authenticate({ authorization: `Bearer ${token}` })
    // The same call without authentication, so that the cost of measuring is not counted.
    const off = await medianMicroseconds(async () => caller, token, calls)

    const requests = short ? 300 : 3_000
    const times: number[] = []
    for (let i = 0; i < requests; i += 1) {
      const startedAt = performance.now()
      await (await send(listing.call(collection, { pageSize: 10 }).path)).arrayBuffer()
      times.push((performance.now() - startedAt) * 1_000)
    }
    const request = medianOf(times)
    const added = on - off
    say(
      `authenticate ${on.toFixed(1)} µs, switched off ${off.toFixed(1)} µs, a page of 10 objects ${Math.round(request)} µs`,
    )
    expect(added < mostMicroseconds, `it adds ${added.toFixed(1)} microseconds`)
    const share = ((added / request) * 100).toFixed(2)
    return `${added.toFixed(1)} microseconds of ${calls.toLocaleString('en')} calls, ${share} % of a request for a page`
  } finally {
    await provider.stop()
  }
}

async function medianMicroseconds(
  authenticate: AuthenticateCaller,
  token: string,
  calls: number,
): Promise<number> {
  const authorization = `Bearer ${token}`
  await authenticate({ authorization })
  const times: number[] = []
  for (let i = 0; i < calls; i += 1) {
    const startedAt = performance.now()
    await authenticate({ authorization })
    times.push((performance.now() - startedAt) * 1_000)
  }
  return medianOf(times)
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
