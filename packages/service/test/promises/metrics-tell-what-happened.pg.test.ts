import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadItems, putItems, items } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { listing, searching, type Collection } from '../support/page-revisions.ts'
import { scrape, type ScrapedMetrics } from '../support/read-metrics.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService } from '../support/start-test-service.ts'
import { askForPage, readPage, walkOverHttp } from '../support/walk-over-http.ts'

const service = forAllTests(() => serveOnFreshDatabase({ environment: { OCTAVO_METRICS_PORT: '0' } }))
let collection: Collection
let address: string
let metrics: ScrapedMetrics

const bytesOf = { list: 0, search: 0 }

beforeAll(async () => {
  const listening = service.observations.find(({ kind }) => kind === 'metrics-listening')
  address = listening?.kind === 'metrics-listening' ? listening.address : ''
  const loaded = await loadItems(service.store, service.ontology, 25, 'item')
  ;({ collection } = loaded)
  await putItems(
    service.store,
    loaded.type,
    items(10).map((item) => ({ ...item, rank: 500 })),
  )

  await walkOverHttp(service, listing, collection, { snapshot: true, pageSize: () => 10 })
  await walkOverHttp(service, searching, collection, { pageSize: () => 5 })
  for (const name of ['list', 'search'] as const) {
    const revision = name === 'list' ? listing : searching
    bytesOf[name] = (await askForPage(service, revision, collection, { snapshot: true })).text.length
  }
  const page = await readPage(service, listing, collection, { pageSize: 3 })
  const refusals = [
    { pageToken: 'AAAA' },
    { pageToken: page.nextPageToken, snapshot: true },
    { pageToken: page.nextPageToken, snapshot: true },
    { pageSize: 0 },
  ]
  for (const ask of refusals) await askForPage(service, listing, collection, ask)
  await service.fetch('/nowhere')
  const manage = manageOverHttp(service)
  await manage.commit([put({ id: 'x', rank: 1 }), put({ id: 'y', rank: 1 }), remove('i000001')], {
    objectType: 'item',
  })
  const served = () => service.observations.filter(({ kind }) => kind === 'request-served')
  await vi.waitUntil(() => served().length > 15, 60_000)
  metrics = await scrape(address)
})

it('counts every page once, by endpoint and mode', () => {
  const pages = (endpoint: string, mode: string) => metrics.value('octavo_pages_total', { endpoint, mode })
  expect(pages('listObjects', 'snapshot')).toBe(4)
  expect(pages('listObjects', 'default')).toBe(1)
  expect(pages('searchObjects', 'default')).toBe(5)
  expect(pages('searchObjects', 'snapshot')).toBe(1)
  const objects = (endpoint: string, mode: string) =>
    metrics.value('octavo_page_objects_total', { endpoint, mode })
  expect(objects('listObjects', 'snapshot')).toBe(50)
  expect(objects('searchObjects', 'default')).toBe(25)
  const bytes = metrics.value('octavo_page_bytes_total', { endpoint: 'searchObjects', mode: 'snapshot' })
  expect(bytes).toBeGreaterThanOrEqual(bytesOf.search)
  expect(bytes).toBeLessThan(bytesOf.search + 100)
})

it('measures every stage of every page, and every request by its route', () => {
  const pages = metrics.value('octavo_pages_total')
  for (const stage of ['parse', 'find', 'open', 'plan', 'wait', 'read', 'seal', 'write']) {
    expect(metrics.value('octavo_page_stage_seconds_count', { stage }), stage).toBe(pages)
  }
  expect(metrics.value('octavo_page_stage_seconds_sum', { stage: 'read' })).toBeGreaterThan(0)
  const route = '/api/v1/ontologies/:ontology/objects/:objectType'
  const requests = (labels: Record<string, string>) => metrics.value('octavo_request_seconds_count', labels)
  expect(requests({ route, status: '200' })).toBe(5)
  expect(requests({ route, status: '400' })).toBe(4)
  expect(requests({ route: 'none', status: '404' })).toBe(1)
})

it('counts refusals by the name of the error, and page tokens by the reason', () => {
  const tokens = (reason: string) => metrics.value('octavo_page_tokens_refused_total', { reason })
  expect(tokens('malformed')).toBe(1)
  expect(tokens('requestChanged')).toBe(2)
  const refused = (name: string) => metrics.value('octavo_requests_refused_total', { error_name: name })
  expect(refused('InvalidPageToken')).toBe(3)
  expect(refused('InvalidPageSize')).toBe(1)
  expect(refused('PathNotFound')).toBe(1)
})

it('counts commits over HTTP and what they changed', () => {
  expect(metrics.value('octavo_commits_total')).toBe(1)
  expect(metrics.value('octavo_commit_objects_total', { change: 'created' })).toBe(2)
  expect(metrics.value('octavo_commit_objects_total', { change: 'deleted' })).toBe(1)
})

it('tells what the database holds', async () => {
  const type = { ontology: 'promised', object_type: 'item' }
  const rows = async () => {
    // Connections report their row counts up to ten seconds late. This corrects the counts at once, until another one
    // reports.
    await service.store.database.rows({ text: 'analyze', values: [] })
    const now = await scrape(address)
    return { live: now.value('octavo_live_objects', type), history: now.value('octavo_history_rows', type) }
  }
  await expect.poll(rows).toEqual({ live: 26, history: 11 })
  expect(metrics.value('octavo_database_up')).toBe(1)
  expect(metrics.value('octavo_ontologies')).toBe(1)
  expect(metrics.value('octavo_floor_lag_versions', type)).toBe(3)
  expect(metrics.value('octavo_snapshot_age_seconds', type)).toBeGreaterThan(0)
  expect(metrics.value('octavo_snapshot_age_seconds', type)).toBeLessThan(60)
  expect(metrics.value('octavo_history_bytes', type)).toBeGreaterThan(8_192)
  expect(metrics.value('octavo_current_bytes', type)).toBeGreaterThan(8_192)
})

it('tells the state of the process', () => {
  expect(metrics.value('octavo_ready')).toBe(1)
  expect(metrics.value('octavo_pool_size')).toBe(10)
  expect(metrics.value('octavo_snapshot_retention_seconds')).toBe(3_600)
  const open = metrics.value('octavo_pool_connections')
  expect(open).toBeGreaterThan(0)
  expect(open).toBeLessThanOrEqual(10)
  expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

it('names every metric as Prometheus wants it, and gives none a label that a caller could fill', () => {
  const ours = [...metrics.types].filter(([name]) => name.startsWith('octavo_'))
  expect(ours.length).toBeGreaterThan(20)
  for (const [name, type] of ours) {
    expect(name).toMatch(/^octavo_[a-z]+(_[a-z]+)*$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
  }
  const labels = new Set(
    metrics.samples.filter(({ name }) => name.startsWith('octavo_')).flatMap((s) => Object.keys(s.labels)),
  )
  // Only a cluster has nodes.
  labels.delete('node')
  expect([...labels].toSorted()).toEqual([
    'change',
    'coding',
    'endpoint',
    'error_name',
    'le',
    'mode',
    'object_type',
    'ontology',
    'reason',
    'route',
    'stage',
    'state',
    'status',
  ])
})

it('serves metrics on their own port only, and nothing else there', async () => {
  expect((await service.fetch('/metrics')).status).toBe(404)
  expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  expect((await fetch(address)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
})

it('does not start where the port of the metrics is taken, and says which option to change', async () => {
  const { port } = new URL(address)
  await expect(
    startTestService({ databaseUrl: service.databaseUrl, environment: { OCTAVO_METRICS_PORT: port } }),
  ).rejects.toThrow(/EADDRINUSE.*; choose another metrics-port or metrics-host$/)
})

it('does not repeat old figures of a database that no longer answers', async () => {
  const lonely = await serveOnFreshDatabase({ environment: { OCTAVO_METRICS_PORT: '0' } })
  try {
    const listening = lonely.observations.find(({ kind }) => kind === 'metrics-listening')
    const own = listening?.kind === 'metrics-listening' ? listening.address : ''
    await lonely.store.database.run('alter schema octavo rename to away')
    const after = await scrape(own)
    expect(after.value('octavo_database_up')).toBe(0)
    expect(after.value('octavo_ready')).toBe(0)
    expect(after.samples.some(({ name }) => name === 'octavo_live_objects')).toBe(false)
    expect(lonely.observations).toContainEqual(expect.objectContaining({ kind: 'measuring-failed' }))
  } finally {
    await lonely.store.database.run('alter schema away rename to octavo')
    await lonely.close()
  }
})
