import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageStages } from '../../src/read/walk/page-stages.ts'
import { loadItems } from '../support/load-items.ts'
import { searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { askForPage } from '../support/walk-over-http.ts'

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]
}

interface Sent {
  readonly resourceSpans: readonly [
    { readonly scopeSpans: readonly [{ readonly spans: readonly SentSpan[] }] },
  ]
}

let collector: Server
let service: PromisedService
let collection: Collection
const received: SentSpan[] = []
const paths = new Set<string>()

const spansOf = (traceId: string) => received.filter((span) => span.traceId === traceId)
const value = (span: SentSpan | undefined, key: string) => {
  const found = span?.attributes.find((attribute) => attribute.key === key)?.value
  return found?.['stringValue'] ?? found?.['intValue']
}

const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const sent = JSON.parse(Buffer.concat(chunks).toString()) as Sent
  received.push(...sent.resourceSpans[0].scopeSpans[0].spans)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

beforeAll(async () => {
  collector = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  service = await serveOnFreshDatabase({ environment: { OCTAVO_OTLP_URL: `http://127.0.0.1:${port}` } })
  ;({ collection } = await loadItems(service.store, service.ontology, 25, 'item'))
})
afterAll(async () => {
  await service.close()
  collector.close()
})

const ask = (traceparent: string, objectType = 'item') => {
  const { path, init } = searching.call({ ...collection, objectType }, { pageSize: 10 })
  return service.fetch(path, { ...init, headers: { ...init.headers, traceparent } })
}

it('a page is a span of the trace of its client, with the stages inside it and one after the other', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const response = await ask(`00-${traceId}-b7ad6b7169203331-01`)
  await expect.poll(() => spansOf(traceId).length).toBeGreaterThan(1)

  const spans = spansOf(traceId)
  const whole = spans.find(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331')
  expect(whole).toMatchObject({ name: 'POST /api/:apiFamily/v1/objects/types/:objectType/search', kind: 2 })
  expect(value(whole, 'http.response.status_code')).toBe('200')
  expect(value(whole, 'octavo.request_id')).toBe(response.headers.get('x-request-id'))
  expect(value(whole, 'octavo.objects')).toBe('10')

  const stages = spans.filter((span) => span !== whole)
  expect(stages.map(({ name }) => name)).toEqual(Object.keys(pageStages))
  let before = BigInt(whole?.startTimeUnixNano ?? 0)
  for (const stage of stages) {
    expect(stage.parentSpanId).toBe(whole?.spanId)
    expect(BigInt(stage.startTimeUnixNano)).toBeGreaterThanOrEqual(before)
    expect(BigInt(stage.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(stage.startTimeUnixNano))
    before = BigInt(stage.startTimeUnixNano)
  }
  expect(BigInt(stages.at(-1)?.endTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(whole?.endTimeUnixNano ?? 0))
  expect([...paths]).toEqual(['POST /v1/traces application/json'])
})

it('a refusal carries the id that its answer names', async () => {
  const traceId = '1bf7651916cd43dd8448eb211c80319c'
  const response = await ask(`00-${traceId}-b7ad6b7169203331-01`, 'nothing')
  const { errorInstanceId } = JSON.parse(await response.text()) as { readonly errorInstanceId: string }
  await expect.poll(() => spansOf(traceId).length).toBe(1)
  expect(value(spansOf(traceId)[0], 'error.type')).toBe('ObjectTypeNotFound')
  expect(value(spansOf(traceId)[0], 'octavo.error_instance_id')).toBe(errorInstanceId)
})

it('a request without a trace begins one, and one that is not sampled is not sent', async () => {
  const notSampled = '2cf7651916cd43dd8448eb211c80319c'
  await ask(`00-${notSampled}-b7ad6b7169203331-00`)
  const before = received.length
  await ask('not a traceparent')
  await expect.poll(() => received.length).toBe(before + 12)
  const begun = received.find(({ parentSpanId }, index) => index >= before && parentSpanId === undefined)
  expect(begun?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(spansOf(notSampled)).toEqual([])
})

it('a collector that is gone costs spans, never requests', async () => {
  collector.closeAllConnections()
  await new Promise((resolve) => collector.close(resolve))
  expect((await askForPage(service, searching, collection)).status).toBe(200)
  await expect
    .poll(() => service.observations.find(({ kind }) => kind === 'spans-dropped'))
    .toMatchObject({ dropped: 12 })
})
