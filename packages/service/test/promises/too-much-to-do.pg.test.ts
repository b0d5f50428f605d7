import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { waitingForLock, whileLocked } from '../support/locked-table.ts'
import { listing, searching } from '../support/page-revisions.ts'
import { scrape } from '../support/read-metrics.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(() =>
  serveOnFreshDatabase({
    environment: {
      // One connection for pages, one for everything else.
      OCTAVO_DATABASE_POOL_SIZE: '2',
      OCTAVO_QUEUE_MILLISECONDS: '100',
      OCTAVO_REQUEST_TIMEOUT_SECONDS: '6',
      OCTAVO_METRICS_PORT: '0',
    },
  }),
)
const locked = withItems(service, 5, 'locked')
const { collection: free } = withItems(service, 5, 'free')

const locking = <T>(work: () => Promise<T>): Promise<T> => whileLocked(service, locked.type, work)
const stuck = (): Promise<number> => waitingForLock(service)

const requests = 200
const ask = (revision = listing) => askForPage(service, revision, locked.collection, {})

it('P114, P165: what cannot be served soon is refused with Overloaded and when to come back, the rest is served', async () => {
  expect((await ask()).status).toBe(200)
  const { slow, refused } = await locking(async () => {
    const first = ask()
    await expect.poll(stuck).toBe(1)
    const others = await Promise.all(
      Array.from({ length: requests }, (_, i) => ask(i % 2 === 0 ? listing : searching)),
    )
    return { slow: first, refused: others }
  })
  expect((await slow).status).toBe(200)
  for (const { status, text, headers } of refused) {
    expect(status).toBe(503)
    const { errorName, parameters } = JSON.parse(text)
    expect(errorName).toBe('Overloaded')
    expect(parameters).toEqual({ retryAfterSeconds: Number(headers.get('retry-after')) })
    expect(parameters.retryAfterSeconds).toBeGreaterThanOrEqual(1)
  }
  const kinds = service.observations.filter(({ kind }) => kind === 'request-failed')
  expect(kinds, 'to be sent away is no failure to look into').toEqual([])
  expect((await ask()).status).toBe(200)
})

it('what was sent away is counted by reason, and so is what is under way', async () => {
  const listening = service.observations.find(({ kind }) => kind === 'metrics-listening')
  const metrics = await scrape(listening?.kind === 'metrics-listening' ? listening.address : '')
  expect(metrics.value('octavo_requests_shed_total', { reason: 'waited' })).toBeGreaterThan(0)
  expect(metrics.value('octavo_requests_shed_total')).toBe(requests)
  expect(metrics.value('octavo_requests_failed_total', { error_name: 'Overloaded' })).toBe(requests)
  for (const state of ['working', 'waiting']) {
    expect(metrics.value('octavo_requests_under_way', { state })).toBe(0)
  }
  expect(metrics.value('octavo_page_room_bytes')).toBe(0)
})

it('P167: a page that takes too long is given up, with ScanTimedOut, and its statement with it', async () => {
  await locking(async () => {
    const { status, text } = await ask()
    expect(status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ errorName: 'ScanTimedOut', parameters: {} })
    expect(await stuck()).toBe(0)
    expect((await askForPage(service, listing, free, {})).status).toBe(200)
  })
})

it('a client that goes away gives its place and its connection to the next at once', async () => {
  await locking(async () => {
    const leaving = new AbortController()
    const { path, init } = listing.call(locked.collection, {})
    const gone = service.fetch(path, { ...init, signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(stuck).toBe(1)
    leaving.abort()
    expect(await gone).toBe('gone')
    // Well before the request times out.
    await sleep(500)
    expect(await stuck()).toBe(0)
    expect((await askForPage(service, listing, free, {})).status).toBe(200)
  })
})

it('clients that go away, at whatever moment, leave nothing behind', async () => {
  const { path, init } = listing.call(free, {})
  for (let i = 0; i < 300; i += 1) {
    const leaving = AbortSignal.timeout(i % 12)
    await service.fetch(path, { ...init, signal: leaving }).catch(() => 'gone')
  }
  const listening = service.observations.find(({ kind }) => kind === 'metrics-listening')
  const address = listening?.kind === 'metrics-listening' ? listening.address : ''
  const left = async () => {
    const metrics = await scrape(address)
    return {
      working: metrics.value('octavo_requests_under_way', { state: 'working' }),
      roomBytes: metrics.value('octavo_page_room_bytes'),
    }
  }
  await expect.poll(left).toEqual({ working: 0, roomBytes: 0 })
})

it('P197: lists and definitions wait for their turn, and are refused, like pages', async () => {
  const { rid } = service.ontology
  const paths = [
    '/api/v1/ontologies',
    `/api/v1/ontologies/${rid}`,
    `/api/v1/ontologies/${rid}/objectTypes`,
    `/api/v1/ontologies/${rid}/objectTypes/free`,
    `/api/v1/ontologies/${rid}/objectTypes/unknown`,
    '/manage/v1/ontologies',
    `/manage/v1/ontologies/${rid}/objectTypes`,
    '/api/promised/v1/objects/types/free/commits',
    `/manage/v1/ontologies/${rid}/grants`,
    '/manage/v1/accessTokens',
  ]
  const statusOf = async (path: string) => (await service.fetch(path)).status
  const oneByOne = async () => {
    const statuses: number[] = []
    for (const path of paths) statuses.push(await statusOf(path))
    return statuses
  }
  const usual = paths.map((path) => (path.endsWith('unknown') ? 404 : 200))
  expect(await oneByOne()).toEqual(usual)
  const { slow, refused } = await locking(async () => {
    const first = ask()
    await expect.poll(stuck).toBe(1)
    return { slow: first, refused: await Promise.all(paths.map(statusOf)) }
  })
  expect(refused).toEqual(paths.map(() => 503))
  expect((await slow).status).toBe(200)
  expect(await oneByOne()).toEqual(usual)
})
