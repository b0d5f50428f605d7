// Requests that no client should send: valid ones with something wrong in them, so that they get as far as possible.
import { randomBytes } from 'node:crypto'
import type { Random } from '@octavo/model'
import { mediaTypes } from '@octavo/protocol'
import type { DescribedRoute } from '../../packages/service/test/inside.ts'
import { anyText, badValue, writtenOut } from './bad-values.ts'
import type { Call } from '../harness/keep-alive-client.ts'
import { isOfLines, rightBody, rightNames, rightQuery, type PathNames } from './right-requests.ts'
import type { BadInputTarget } from './spoilt-ontology.ts'
import { damaged, spoiled } from './spoil.ts'

export interface BadCall extends Call {
  /** The endpoint that the request was generated for, however different it is now. */
  readonly operationId: string
}

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

export function badCall(random: Random, target: BadInputTarget): BadCall {
  const route = random.pick(target.routes)
  const names = rightNames(random, target, route)
  const method = random.chance(0.95) ? route.method.toUpperCase() : random.pick(methods)
  const body = badBody(random, target, { route, names })
  return {
    operationId: route.description.operationId,
    method,
    path: badPath(random, target, { route, names }) + badQuery(random, target, route),
    headers: badHeaders(random, target, route),
    ...(body !== undefined && { body }),
  }
}

interface OfRoute {
  readonly route: DescribedRoute
  readonly names: PathNames
}

function badPath(random: Random, target: BadInputTarget, { route, names }: OfRoute): string {
  // Besides the endpoints, the description of the service.
  if (random.chance(0.005)) return '/openapi.json'
  const segments = route.url
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith(':') ? (names[segment.slice(1)] ?? '') : segment))
  if (random.chance(0.25)) {
    segments[random.integer(0, segments.length - 1)] = inUrl(random, anyText(random, target))
  }
  if (random.chance(0.03)) segments.push(inUrl(random, anyText(random, target)))
  return `/${segments.join(random.chance(0.02) ? '//' : '/')}`
}

function badQuery(random: Random, target: BadInputTarget, { description }: DescribedRoute): string {
  const known = Object.keys(description.query?.properties ?? {})
  if (random.chance(known.length > 0 ? 0.3 : 0.9)) return rightQuery(description)
  const parameters = Array.from({ length: random.integer(0, 4) }, () => {
    const own = known[random.integer(0, known.length)]
    const name = random.chance(0.8) ? (own ?? random.pick(names)) : anyText(random, target)
    const value = random.chance(0.3) ? random.pick(['true', '3', 'id']) : anyText(random, target)
    return random.chance(0.05) ? inUrl(random, name) : `${inUrl(random, name)}=${inUrl(random, value)}`
  })
  return `?${parameters.join('&')}`
}

/** Mostly encoded correctly; sometimes raw, as far as an HTTP client allows it. */
function inUrl(random: Random, text: string): string {
  const sendable = text.toWellFormed()
  return random.chance(0.8) ? encodeURIComponent(sendable) : sendable.replaceAll(/[^\x21-\x7e]/gu, '%$')
}

function badBody(random: Random, target: BadInputTarget, of: OfRoute): string | Buffer | undefined {
  const bad = { value: () => badValue(random, target, 0), name: () => anyText(random, target) }
  const oneOf = (): string => {
    let value = rightBody(random, target, of)
    for (let times = random.pick([0, 1, 1, 2, 3]); times > 0; times -= 1) value = spoiled(value, random, bad)
    return JSON.stringify(value) ?? ''
  }
  if (of.route.description.body === undefined)
    return random.chance(0.03) ? JSON.stringify(bad.value()) : undefined
  if (!isOfLines(of.route)) return damaged(writtenOut(oneOf(), random), random)
  const lines = Array.from({ length: random.pick([1, 1, 2, 5, 30]) }, () =>
    random.chance(0.5) ? oneOf() : JSON.stringify(rightBody(random, target, of)),
  )
  return damaged(writtenOut(lines.join(random.pick(['\n', '\n', '\r\n', '\n\n'])), random), random)
}

function badHeaders(random: Random, target: BadInputTarget, route: DescribedRoute): Record<string, string> {
  const { body, bodyType = mediaTypes.json, header } = route.description
  const sent: Record<string, string> = {}
  if (body !== undefined) {
    sent['content-type'] = random.chance(0.9)
      ? bodyType
      : random.pick([
          'application/json',
          'application/x-ndjson',
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
  if (random.chance(0.1)) sent['authorization'] = badAuthorization(random, target)
  for (const name of Object.keys(header?.properties ?? {})) {
    if (random.chance(0.3)) sent[name] = inHeader(anyText(random, target))
  }
  if (random.chance(0.1)) {
    const name = random.pick([
      'accept',
      'accept-encoding',
      'content-encoding',
      'origin',
      'x-request-id',
      'want-content-digest',
      'traceparent',
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

function badAuthorization(random: Random, target: BadInputTarget): string {
  if (random.chance(0.4)) return `Bearer ${random.pick(target.credentials)}`
  if (random.chance(0.3)) return `Bearer oct_${randomBytes(32).toString('base64url')}`
  if (random.chance(0.2)) return `Bearer ${inHeader(anyText(random, target))}`
  return random.pick([
    '',
    'Bearer',
    'Bearer x',
    'Bearer e30.e30.x',
    'Basic eDp5',
    'Bearer \u00ff',
    'a'.repeat(2_000),
  ])
}

/** As much of a text as an HTTP client allows. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e\x80-\xff]/gu, '')
