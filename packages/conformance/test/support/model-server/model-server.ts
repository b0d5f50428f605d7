// A small in-memory server that keeps the contract of paging in both revisions. Each of its steps can be replaced.
import { checksumOf, type HashedObject } from '../../../src/subject/content-checksum.ts'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { errorTable, limits, mediaTypes, pageSizes, type BatchLine } from '@octavo/protocol'
import { WebSocketServer } from 'ws'
import { apiFamily, ontologyRid, stateOf, thing, typeNamed } from './model-data.ts'
import { errorBody, ModelRefusal, refuse } from './model-refusal.ts'
import { addCommit, latestVersion, type ModelStore } from './model-store.ts'
import { tokenBox, type ModelWalk } from './model-token.ts'
import { readListAsk, refuseUnknown } from './read-list-ask.ts'
import { readObjectAsk, readSearchAsk } from './read-search-ask.ts'
import { serveAggregate } from './serve-aggregate.ts'
import { readChangesAsk, serveChanges } from './serve-changes.ts'
import { asListed, listedTypes, ontology, serveItem, serveList } from './serve-catalog.ts'
import { searchAsk, serveLinkedObjects, servePairs, serveFoundLinked } from './serve-links.ts'
import { recordOf, servePage, withNamedState } from './serve-page.ts'
import { serveCommits, serveVersions } from './serve-history.ts'
import { readPartitionsAsk, servePartitions } from './serve-partitions.ts'
import { readCountAsk, serveCount, serveSnapshot } from './serve-snapshot.ts'
import { ModelStream, readExportAsk, serveStream } from './serve-stream.ts'
import { serveSubscriptions } from './serve-subscriptions.ts'
import { requireOntology, serveV2 } from './serve-v2.ts'
import { correctSteps, type Steps } from './steps.ts'

export interface ModelServer {
  readonly url: string
  readonly writerUrl: string
  /** The token of a plain first page, with a changed walk. */
  readonly resealed: (token: string, change: Partial<ModelWalk>) => string
  /** A snapshot token of a state that the test makes up. */
  readonly snapshotOf: (version: number) => string
  readonly close: () => Promise<void>
}

export interface ModelOptions {
  readonly steps?: Partial<Steps>
  readonly objects?: number
  /** Behind some proxies requests for web sockets arrive as plain ones, or are answered by the proxy, or not at all. */
  readonly sockets?: 'served' | 'plain' | 'refused' | 'closed'
}

export async function startModelServer({
  steps,
  objects = 60,
  sockets = 'served',
}: ModelOptions = {}): Promise<ModelServer> {
  const store: ModelStore = { commits: [] }
  addCommit(store, stateOf(Array.from({ length: objects }, (_, i) => thing(i))))
  const parts = { store, box: tokenBox(), steps: { ...correctSteps, ...steps } }
  // Larger than the limit on a URL, so that the model itself refuses long URLs (P111).
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    // Whatever comes here is a plain request.
    delete request.headers.upgrade
    void (async () => {
      const { status, headers, body } = await answerTo(parts, request, await textOf(request))
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })()
  }).listen(0, '127.0.0.1')
  const opened = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false })
  if (sockets !== 'plain') {
    server.on('upgrade', (request, socket, head) => {
      if (sockets === 'served') void openSocket(parts, opened, { request, socket, head })
      else socket.end(sockets === 'refused' ? 'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno' : '')
    })
  }
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    writerUrl: `${url}/manage/v1/ontologies/${ontologyRid}/objectTypes/thing/batches`,
    resealed: (token, change) => parts.box.seal({ ...parts.box.open(token.replace(/=+$/, '')), ...change }),
    snapshotOf: (version) => parts.box.seal({ versions: { thing: version } }),
    close: async () => {
      for (const socket of opened.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Parts = Parameters<typeof servePage>[0]

interface ModelAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Buffer
}

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** A web socket is refused for every reason for which a plain request for its path would be; its protocol names the token. */
async function openSocket(
  parts: Parts,
  sockets: WebSocketServer,
  { request, socket, head }: Upgrade,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const protocol = request.headers['sec-websocket-protocol']
  request.headers.authorization ??= protocol?.replace('Bearer-', 'Bearer ')
  const { status, headers, body } = await answerTo(parts, request, '')
  if (status === 200) {
    sockets.handleUpgrade(request, socket, head, (opened) => serveSubscriptions(parts, opened))
    return
  }
  const lines = Object.entries({ 'content-type': 'application/json', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end([`HTTP/1.1 ${status} Refused`, ...lines, '', String(body)].join('\r\n'))
}

async function answerTo(parts: Parts, request: IncomingMessage, text: string): Promise<ModelAnswer> {
  const headers = { 'x-request-id': String(request.headers['x-request-id'] ?? randomUUID()) }
  try {
    const answer = await route(parts, request, text)
    if (answer instanceof ModelStream) {
      return { status: 200, headers: { ...headers, 'content-type': mediaTypes.ndjson }, body: answer.text }
    }
    const body = JSON.stringify(answer)
    const sha256 = createHash('sha256').update(body).digest('base64')
    const digest = `sha-256=:${sha256}:`
    if (request.method === 'GET' && !('data' in answer)) {
      const etag = `"${sha256}"`
      const held = request.headers['if-none-match']?.split(', ') ?? []
      if (held.includes(etag) || held.includes('*')) {
        return { status: 304, headers: { ...headers, etag }, body: '' }
      }
      Object.assign(headers, { etag })
    }
    if (request.headers['want-content-digest'] !== undefined) {
      return { status: 200, headers: { ...headers, 'content-digest': digest }, body }
    }
    if (!('data' in answer)) return { status: 200, headers, body }
    const sent = parts.steps.sendBody(body, request.headers['accept-encoding'] ?? '')
    return { status: 200, headers: { ...headers, ...sent.headers }, body: sent.body }
  } catch (error) {
    const refusal =
      error instanceof ModelRefusal ? error : new ModelRefusal('Default:Internal', { cause: String(error) })
    const { status } = errorTable[refusal.errorName]
    const more: Record<string, string> = {
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...('allowedMethods' in refusal.parameters && { allow: String(refusal.parameters.allowedMethods) }),
    }
    return { status, headers: { ...headers, ...more }, body: JSON.stringify(errorBody(refusal)) }
  }
}

async function route(parts: Parts, request: IncomingMessage, text: string): Promise<object> {
  const { pathname, searchParams: parameters } = new URL(request.url ?? '/', 'http://model')
  const hasPageToken = parameters.has('pageToken') || text.includes('"pageToken"')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const caller = parts.steps.callerOf(bearer, { hasPageToken }) ?? refuse('Default:Unauthorized', {})
  if ((request.url ?? '').length > limits.request.urlBytes) {
    refuse('RequestTooLarge', { limit: 'urlBytes', maximum: limits.request.urlBytes })
  }
  const words = pathname.split('/').slice(1).map(decodeURIComponent)
  if (words.includes('')) refuse('PathNotFound', {})
  const isGet = (): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse('MethodNotAllowed', { method: request.method ?? '', allowedMethods: ['GET', 'HEAD'] })
    }
    parts.steps.refuseBody(text)
  }
  if (words[0] === 'manage' && words.at(-1) === 'batches') {
    parts.steps.refusePreconditions(request.headers)
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as BatchLine)
    await parts.steps.commit(parts.store, lines)
    return { version: String(latestVersion(parts.store)) }
  }
  if (words[0] === 'api' && words[1] === 'v1' && words[2] === 'ontologies') {
    const asked = { request, parameters, text, caller }
    const posted = answerOfPost(parts, words.slice(3), asked)
    if (posted !== undefined) return posted
    isGet()
    return revision1(parts, words.slice(3), asked)
  }
  if (words[0] === 'api' && words[1] === 'v2' && words[2] === 'ontologies') {
    return serveV2(parts, words.slice(3), { request, parameters, text, caller })
  }
  if (words[0] === 'api' && words[1] === 'v2' && words[2] === 'ontologySubscriptions') {
    parts.steps.knowsSubscriptions()
    requireOntology(parts, words[4])
    return request.headers.upgrade === 'websocket' ? {} : parts.steps.withoutSocket()
  }
  const family = words[0] === 'api' && words[2] === 'v1' ? words[1] : undefined
  if (family !== undefined && family !== apiFamily) refuse('ApiFamilyNotFound', { apiFamily: family })
  if (family !== undefined && words[3] === 'snapshots' && words.length === 4) {
    requireJson(request, text)
    return serveSnapshot(parts, text)
  }
  if (family !== undefined && words[3] === 'objects' && words[4] === 'types') {
    const [, , , , , objectType, verb] = words
    if (
      verb !== undefined &&
      /^(search|export|count|partitions|changes|aggregate)$/.test(verb) &&
      words.length === 7
    ) {
      requireJson(request, text)
      refuseUnknown([...parameters.keys()], [])
      const name = typeNamed(String(objectType)).apiName
      if (verb === 'changes') {
        parts.steps.knowsChanges()
        return serveChanges(parts, readChangesAsk(name, text), caller)
      }
      if (verb === 'aggregate') {
        parts.steps.knowsAggregates()
        return serveAggregate(parts, name, text, caller)
      }
      if (verb === 'partitions') return servePartitions(parts, readPartitionsAsk(name, text), caller)
      if (verb === 'search') return servePage(parts, readSearchAsk(name, text), caller)
      if (verb === 'export') return serveStream(parts, readExportAsk(name, text), caller)
      return serveCount(parts, readCountAsk(name, text), caller)
    }
    const [, , , , , , , link = '', how] = words
    if (verb === 'links' && /^(search|pairs)$/.test(how ?? '') && words.length === 9) {
      requireJson(request, text)
      const linked = { objectType: typeNamed(String(objectType)).apiName, link }
      return how === 'pairs'
        ? servePairs(parts, linked, text, caller)
        : servePage(parts, searchAsk(linked, text), caller)
    }
    isGet()
    if (objectType === undefined)
      return serveList('types', listedTypes('2.0'), { parameters, box: parts.box })
    if (words.length === 6) return serveItem(typeNamed(objectType), parameters)
    if (verb === 'objects') return serveFamilyObject(parts, words.slice(5), { parameters, caller })
    if (verb === 'commits' && words.length === 7) return serveCommits(parts, parameters)
  }
  return refuse('PathNotFound', {})
}

function serveFamilyObject(
  parts: Parts,
  [type = '', , primaryKey = '', what, link]: readonly string[],
  { parameters, caller }: Pick<Asked, 'parameters' | 'caller'>,
): object {
  const objectType = typeNamed(type).apiName
  if (what === 'versions') return serveVersions(parts, { objectType, primaryKey, parameters })
  if (what === 'links' && link !== undefined)
    return serveFoundLinked(parts, { objectType, link, primaryKey }, { parameters, caller })
  if (what !== undefined) return refuse('PathNotFound', {})
  const ask = withNamedState(parts, readObjectAsk(objectType, parameters), caller)
  const object = parts.steps.stateFor(parts.store, ask, undefined).get(primaryKey)
  if (object === undefined) return refuse('ObjectNotFound', { objectType, primaryKey })
  const record = recordOf(ask, object)
  return ask.select === undefined ? { ...record, checksum: checksumOf([record as HashedObject]) } : record
}

function requireJson({ method, headers }: IncomingMessage, text: string): void {
  if (method !== 'POST') refuse('MethodNotAllowed', { method: method ?? '', allowedMethods: ['POST'] })
  if (text !== '' && !/^application\/json\b/.test(headers['content-type'] ?? '')) {
    refuse('Conjure:UnsupportedMediaType', { expectedMediaType: 'application/json' })
  }
  const maximumBytes = limits.request.bodyBytes
  if (text.length > maximumBytes) refuse('RequestTooLarge', { limit: 'bodyBytes', maximum: maximumBytes })
}

interface Asked {
  readonly request: IncomingMessage
  readonly text: string
  readonly parameters: URLSearchParams
  readonly caller: string
}

/** The endpoint of revision 1.0 that takes POST; undefined for any other path. */
function answerOfPost(
  parts: Parts,
  [rid, kind, objectType, verb]: readonly string[],
  { request, text, caller }: Asked,
): object | undefined {
  if (kind !== 'objects' || verb !== 'aggregate' || request.method !== 'POST') return undefined
  requireJson(request, text)
  requireOntology(parts, rid)
  parts.steps.knowsAggregates()
  return serveAggregate(parts, typeNamed(String(objectType)).apiName, text, caller)
}

function revision1(parts: Parts, words: readonly string[], { parameters, caller }: Asked): object {
  const [rid, kind, objectType, primaryKey, links, link] = words
  const { box } = parts
  if (rid === undefined)
    return serveList('ontologies', [ontology], { parameters, box }, pageSizes.listOntologies)
  requireOntology(parts, rid)
  if (kind === undefined) return serveItem(ontology, parameters)
  if (kind === 'objectTypes' && words.length <= 3) {
    return objectType === undefined
      ? serveList('types', listedTypes('1.0'), { parameters, box })
      : serveItem(asListed(typeNamed(objectType)), parameters)
  }
  if (kind === 'objects' && primaryKey !== undefined && links === 'links' && link !== undefined) {
    const linked = { objectType: typeNamed(String(objectType)).apiName, link, primaryKey }
    return serveLinkedObjects(parts, linked, { parameters, caller })
  }
  if (kind !== 'objects' || objectType === undefined || words.length > 4) return refuse('PathNotFound', {})
  const ask = readListAsk(typeNamed(objectType).apiName, parameters)
  if (primaryKey === undefined) return servePage(parts, ask, caller)
  const object = parts.steps
    .stateFor(parts.store, withNamedState(parts, ask, caller), undefined)
    .get(primaryKey)
  return object === undefined ? refuse('ObjectNotFound', { objectType, primaryKey }) : recordOf(ask, object)
}
