import { setTimeout as sleep } from 'node:timers/promises'
import { removeGrant, revokeAccessToken } from '../../packages/service/test/inside.ts'
import { listing } from '../../packages/service/test/support/page-revisions.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withServedAccess, type ServedAccess } from './served-access.ts'

const mostMs = 1_000

export async function proveRevocation(proof: Proof): Promise<void> {
  await proof.point('Revoking a token or a grant ends walks within a second, on two instances', () =>
    withServedAccess(async (served) => {
      const rounds = proof.short ? 5 : 50
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        times.push(...(await endsAfter(served, `leaver-${round}`, round % 2 === 0 ? 'token' : 'grant')))
      }
      const worst = Math.max(...times)
      expect(worst < mostMs, `a page was still given after ${Math.round(worst)} ms`)
      return `${rounds} revocations on 2 instances, the slowest effective after ${Math.round(worst)} ms`
    }),
  )
}

/** Milliseconds from the end of the revocation to the first refusal, for each instance. */
async function endsAfter(
  { instances, collection }: ServedAccess,
  subject: string,
  taken: 'token' | 'grant',
): Promise<readonly number[]> {
  const { store } = instances[0]
  await grantTo(store, subject, collection.ontologyRid, 'reader')
  const { id, token } = await newTokenOf(store, { subject })
  const headers = { authorization: `Bearer ${token}` }
  const page = async (url: string, pageToken: string | undefined) => {
    const response = await fetch(url + listing.call(collection, { pageSize: 2, pageToken }).path, { headers })
    const { nextPageToken } = (await response.json()) as { nextPageToken?: string }
    return { status: response.status, nextPageToken }
  }
  const walks = await Promise.all(
    instances.map(async ({ url }) => ({ url, first: await page(url, undefined) })),
  )
  expect(
    walks.every(({ first }) => first.status === 200),
    'the walk did not begin',
  )
  if (taken === 'token') await revokeAccessToken(store.database, id, new Date())
  else await removeGrant(store.database, collection.ontologyRid, { type: 'subject', name: subject })
  const takenAt = performance.now()
  return Promise.all(
    walks.map(async ({ url, first }) => {
      for (;;) {
        const sentAt = performance.now()
        const { status } = await page(url, first.nextPageToken)
        if (status === (taken === 'token' ? 401 : 404)) return sentAt - takenAt
        expect(status === 200 && sentAt - takenAt < 10 * mostMs, `the walk continued with ${status}`)
        await sleep(10)
      }
    }),
  )
}
