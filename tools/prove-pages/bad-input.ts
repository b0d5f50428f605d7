// Requests that nobody should send: real ones with something wrong in them, so that they get as far as possible.
import { randomBytes } from 'node:crypto'
import type { Random } from '../../packages/service/src/testing/store-model/seeded-random.ts'
import type { Call } from './keep-alive-client.ts'

export interface BadInputTarget {
  readonly ontologyRid: string
  readonly apiFamily: string
  readonly objectType: string
  /** Tokens of real walks, to be used where they do not belong. */
  readonly tokens: readonly [string, ...string[]]
}

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e309',
  '9223372036854775808',
  'true',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '..%2f..%2f',
  "' or '1'='1",
  '"; drop table x; --',
  '$1',
  '%s%n',
  '\u0000',
  '\ud800',
  '\uffff',
  '😀'.repeat(50),
  'é\u0301',
  'ri.ontology.main.ontology.x',
  'p.id:asc',
  'properties.rank:desc',
  'p.rank:asc,p.rank:desc',
  'p.a,p.b,p.c,p.d,p.e,p.f',
  '{"type":"empty"}',
  'a'.repeat(300),
  'a'.repeat(5_000),
  '%',
  '%zz',
  '%00',
  '%ff',
  '%ed%a0%80',
  '+',
  '&=&=',
  ';',
  '#',
  '\\',
] as const

const names = [
  'pageSize',
  'pageToken',
  'snapshot',
  'properties',
  'orderBy',
  'preview',
  'select',
  'query',
  'p.rank.eq',
  'properties.rank.gt',
  'properties.id',
  'p..',
  '__proto__',
  'pageSize[]',
  'pageSize[0]',
] as const

const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
] as const

export function badCall(random: Random, target: BadInputTarget): Call {
  const method = random.pick(methods)
  const post = method === 'POST' || random.chance(0.05)
  return {
    method: random.chance(0.9) && post ? 'POST' : method,
    path: badPath(random, target, post) + (random.chance(0.7) ? badQuery(random, target) : ''),
    headers: badHeaders(random, post),
    ...(post && { body: badBody(random, target) }),
  }
}

function badPath(random: Random, target: BadInputTarget, post: boolean): string {
  const { ontologyRid, apiFamily, objectType } = target
  const right = post
    ? ['api', apiFamily, 'v1', 'objects', 'types', objectType, 'search']
    : random.pick([
        ['api', 'v1', 'ontologies'],
        ['api', 'v1', 'ontologies', ontologyRid],
        ['api', 'v1', 'ontologies', ontologyRid, 'objectTypes'],
        ['api', 'v1', 'ontologies', ontologyRid, 'objectTypes', objectType],
        ['api', 'v1', 'ontologies', ontologyRid, 'objects', objectType],
        ['api', 'v1', 'ontologies', ontologyRid, 'objects', objectType],
        ['api', 'v1', 'ontologies', ontologyRid, 'objects', objectType, 'i000001'],
        ['api', apiFamily, 'v1', 'objects', 'types'],
        ['api', apiFamily, 'v1', 'objects', 'types', objectType],
        ['health', 'live'],
        ['openapi.json'],
      ])
  const segments = [...right]
  if (random.chance(0.4))
    segments[random.integer(0, segments.length - 1)] = inUrl(random, anyText(random, target))
  if (random.chance(0.05)) segments.push(inUrl(random, anyText(random, target)))
  return `/${segments.join(random.chance(0.02) ? '//' : '/')}`
}

function badQuery(random: Random, target: BadInputTarget): string {
  const parameters = Array.from({ length: random.integer(0, 4) }, () => {
    const name = inUrl(random, random.chance(0.9) ? random.pick(names) : anyText(random, target))
    return random.chance(0.05) ? name : `${name}=${inUrl(random, anyText(random, target))}`
  })
  return `?${parameters.join('&')}`
}

/** Mostly written as it should be; sometimes as it stands, as far as an HTTP client lets it pass. */
function inUrl(random: Random, text: string): string {
  const sendable = text.toWellFormed()
  return random.chance(0.8) ? encodeURIComponent(sendable) : sendable.replaceAll(/[^\x21-\x7e]/gu, '%$')
}

function badHeaders(random: Random, post: boolean): Record<string, string> {
  const sent: Record<string, string> = {}
  if (post) {
    sent['content-type'] = random.pick([
      'application/json',
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'application/json; charset=utf-16',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '*/*',
      ';',
      'a'.repeat(500),
    ])
  }
  if (random.chance(0.05)) {
    sent['authorization'] = random.pick([
      '',
      'Bearer',
      'Bearer x',
      'Basic eDp5',
      'Bearer \u00ff',
      'a'.repeat(2_000),
    ])
  }
  if (random.chance(0.1)) {
    const name = random.pick([
      'accept',
      'accept-encoding',
      'content-encoding',
      'origin',
      'x-request-id',
      'range',
      'expect',
      'cookie',
      'x-http-method-override',
    ])
    sent[name] = random.pick([
      '',
      '*',
      'gzip',
      'x'.repeat(3_000),
      'bytes=0-5',
      '100-continue',
      '\u00e9',
      '{"a":1}',
    ])
  }
  return sent
}

function badBody(random: Random, target: BadInputTarget): string | Buffer {
  if (random.chance(0.1)) return randomBytes(random.integer(0, 200))
  const body: Record<string, unknown> = { query: badQueryObject(random, target, 0) }
  for (const name of ['pageToken', 'pageSize', 'orderBy', 'select', 'snapshot'] as const) {
    if (random.chance(0.3)) body[name] = badValue(random, target, 0)
  }
  if (random.chance(0.2)) body[random.pick(names)] = badValue(random, target, 0)
  const text = JSON.stringify(body)
  if (random.chance(0.1)) return text.slice(0, random.integer(0, text.length))
  if (random.chance(0.1)) return text.replace(/[{}:,"]/, random.pick(['', '{', '"', '\u0000', ',', '[']))
  if (random.chance(0.02)) return '['.repeat(random.integer(1, 20_000))
  if (random.chance(0.02)) return `{"query":${'{"type":"not","value":'.repeat(2_000)}1${'}'.repeat(2_000)}}`
  return text
}

function badQueryObject(random: Random, target: BadInputTarget, depth: number): unknown {
  if (random.chance(0.4)) return { type: 'empty' }
  const type = random.pick([
    'empty',
    'eq',
    'lt',
    'in',
    'isNull',
    'prefix',
    'keyword',
    'contains',
    'and',
    'or',
    'not',
    'nothing',
    '__proto__',
  ])
  const value =
    random.chance(0.5) && depth < 8
      ? badQueryObject(random, target, depth + 1)
      : badValue(random, target, depth)
  return {
    type,
    ...(random.chance(0.7) && { field: anyText(random, target) }),
    value: random.chance(0.5) ? value : [value, value],
    ...(random.chance(0.2) && { query: badValue(random, target, depth) }),
  }
}

function badValue(random: Random, target: BadInputTarget, depth: number): unknown {
  switch (random.integer(0, depth > 4 ? 5 : 9)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick([0, -1, 1, 1.5, 1e308, -0, 2 ** 53, 100, 1_000_000])
    case 3:
    case 4:
    case 5:
      return anyText(random, target)
    case 6:
      return []
    case 7:
      return Array.from({ length: random.integer(0, 20) }, () => badValue(random, target, depth + 1))
    case 8:
      return { fields: [{ field: anyText(random, target), direction: random.pick(['asc', 'desc', 'up']) }] }
    default:
      return { [anyText(random, target)]: badValue(random, target, depth + 1) }
  }
}

function anyText(random: Random, target: BadInputTarget): string {
  const kind = random.integer(0, 9)
  if (kind === 0) return random.pick(target.tokens)
  if (kind === 1) return mutated(random, random.pick(target.tokens))
  if (kind === 2) return randomBytes(random.integer(1, 40)).toString('latin1')
  if (kind === 3)
    return random.pick([
      target.ontologyRid,
      target.apiFamily,
      target.objectType,
      'rank',
      'id',
      'label',
      'tags',
      'names',
    ])
  return random.pick(texts)
}

function mutated(random: Random, text: string): string {
  const at = random.integer(0, text.length)
  return text.slice(0, at) + random.pick(['A', '-', '', 'AAAA', '=']) + text.slice(at + random.integer(0, 2))
}

/** Bytes that are hardly HTTP, or not at all. */
export function badBytes(random: Random, target: BadInputTarget): Buffer {
  const path = `/api/v1/ontologies/${target.ontologyRid}/objects/${target.objectType}`
  const head = random.pick([
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
    `POST /api/${target.apiFamily}/v1/objects/types/${target.objectType}/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
    `GET ${path} HTTP/1.0\r\n`,
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n',
  ])
  const broken = random.pick([
    'Content-Length: -1\r\n\r\n',
    'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nabcde',
    'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffffff\r\n',
    'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n1\r\n{\r\nxyz\r\n',
    'Transfer-Encoding: gzip\r\n\r\n',
    'X: \u0000\r\n\r\n',
    ': empty\r\n\r\n',
    ' folded: x\r\n\r\n',
    'Bad Name: x\r\n\r\n',
    `X-Long: ${'a'.repeat(random.integer(1, 100_000))}\r\n\r\n`,
    `${'X: y\r\n'.repeat(random.integer(1, 3_000))}\r\n`,
    'Upgrade: websocket\r\nConnection: upgrade\r\n\r\n',
    'Expect: 100-continue\r\nContent-Length: 0\r\n\r\n',
    'Expect: something\r\n\r\n',
    '\r\n',
  ])
  const bytes = Buffer.from(head + broken, 'latin1')
  if (random.chance(0.2)) return Buffer.concat([randomBytes(random.integer(1, 300)), Buffer.from('\r\n\r\n')])
  if (random.chance(0.5)) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
  return bytes
}
