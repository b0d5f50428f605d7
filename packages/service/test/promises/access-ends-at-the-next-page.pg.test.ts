import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { removeGrant } from '../../src/manage/grants.ts'
import { refusalOf } from '../support/error-answer.ts'
import { revisions } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { askForPage, readPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'
import { errorWith } from '../support/named-errors.ts'

const first = forAllTests(serveOnFreshDatabase)
const second = forAllTests(() => startTestService({ databaseUrl: first.databaseUrl }))
const { collection } = withItems(first, 20)

const as = (service: TestService, token: string): Pick<TestService, 'fetch'> => ({
  fetch: (path, init = {}) =>
    service.fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
})

/** How long both instances still returned pages, in milliseconds; the walk is in progress on both. */
async function walkUntilRefused(token: string, take: () => Promise<unknown>) {
  const revision = revisions[0]
  if (revision === undefined) throw new Error('no revision')
  const walks = await Promise.all(
    [first, second].map(async (service) => {
      const client = as(service, token)
      const { nextPageToken } = await readPage(client, revision, collection, { pageSize: 2 })
      return { client, pageToken: nextPageToken }
    }),
  )
  await take()
  const takenAt = performance.now()
  return Promise.all(
    walks.map(async ({ client, pageToken }) => {
      for (;;) {
        const answer = await askForPage(client, revision, collection, { pageSize: 2, pageToken })
        if (answer.status !== 200) return { ...refusalOf(answer), afterMs: performance.now() - takenAt }
        if (performance.now() - takenAt > 5_000) throw new Error('Pages are still given after 5 seconds.')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }),
  )
}

it('P121, P115: a token that is revoked ends a walk within a second, on every instance', async () => {
  await grantTo(first.store, 'leaver', collection.ontologyRid, 'reader')
  const { id, token } = await newTokenOf(first.store, { subject: 'leaver' })
  const ends = await walkUntilRefused(token, () => revokeAccessToken(first.store.database, id, new Date()))
  for (const { errorName, afterMs } of ends) {
    expect(errorName).toBe('Default:Unauthorized')
    expect(afterMs).toBeLessThan(1_000)
  }
})

it('P121, P120: a grant that is removed ends a walk within a second, on every instance', async () => {
  await grantTo(first.store, 'mover', collection.ontologyRid, 'writer')
  const { token } = await newTokenOf(first.store, { subject: 'mover' })
  const ends = await walkUntilRefused(token, () =>
    removeGrant(first.store.database, collection.ontologyRid, { type: 'subject', name: 'mover' }),
  )
  for (const { errorName, afterMs } of ends) {
    expect(errorName).toBe('OntologyNotFound')
    expect(afterMs).toBeLessThan(1_000)
  }
})

it('P121: a right that is removed by hand in the database ends a walk as well', async () => {
  await grantTo(first.store, 'by-hand', collection.ontologyRid, 'reader')
  const { token } = await newTokenOf(first.store, { subject: 'by-hand' })
  const ends = await walkUntilRefused(token, () =>
    first.store.database.run("delete from octavo.grants where principal_name = 'by-hand'"),
  )
  expect(ends.map(({ errorName }) => errorName)).toEqual(['OntologyNotFound', 'OntologyNotFound'])
})

it('P115: a token with an end is refused from then on', async () => {
  await grantTo(first.store, 'guest', collection.ontologyRid, 'reader')
  const expiresAt = new Date(Date.now() + 1_500).toISOString()
  const { token } = await newTokenOf(first.store, { subject: 'guest', expiresAt })
  const status = async () =>
    (await as(first, token).fetch(`/api/v1/ontologies/${collection.ontologyRid}`)).status
  await expect.poll(status, { interval: 50 }).toBe(200)
  await expect.poll(status, { interval: 100, timeout: 5_000 }).toBe(401)
})

describe.for(revisions)('in revision $name', (revision) => {
  it('P14: a page token of another caller is refused, one of the same caller continues with new credentials', async () => {
    await grantTo(first.store, 'ada', collection.ontologyRid, 'reader')
    await grantTo(first.store, 'ben', collection.ontologyRid, 'reader')
    const [ada, adaAgain, ben] = await Promise.all(
      ['ada', 'ada', 'ben'].map(async (subject) =>
        as(first, (await newTokenOf(first.store, { subject })).token),
      ),
    )
    if (!ada || !adaAgain || !ben) throw new Error('no callers')
    // A new grant is known within half a second.
    await expect
      .poll(async () => (await askForPage(ada, revision, collection, { pageSize: 2 })).status)
      .toBe(200)
    const { nextPageToken: pageToken } = await readPage(ada, revision, collection, { pageSize: 2 })
    expect((await askForPage(adaAgain, revision, collection, { pageSize: 2, pageToken })).status).toBe(200)
    expect(refusalOf(await askForPage(ben, revision, collection, { pageSize: 2, pageToken }))).toEqual(
      errorWith(400, 'InvalidPageToken', { reason: 'otherCaller' }),
    )
  })
})
