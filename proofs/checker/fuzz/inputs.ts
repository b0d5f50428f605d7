// Inputs to the routes of /openapi.json: mostly declared methods, known names and right forms, each spoilt now and then.
import type { Chance } from '../chances.ts'
import type { Bodies } from './bodies.ts'
import type { Known, Values } from './values.ts'

export interface Input {
  /** As it is declared. */
  readonly route: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const methods = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options']
const parameterNames = [
  'pageSize',
  'pageToken',
  'snapshot',
  'snapshotToken',
  'orderBy',
  'properties',
  'properties.',
  'p.n.gte',
  'p.cat.eq',
  'p.at.lt',
  'p.day.gte',
  'p.m.eq',
  'p.l.lt',
  'p.b.eq',
  'p.d.gt',
  'p.tags.contains',
  'p.x',
  'p..eq',
  'dryRun',
  'maxDeletions',
  'subject',
  'objectType',
  'branch',
  'select',
  'preview',
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code',
]
const headerNames = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'if-none-match',
  'want-content-digest',
  'idempotency-key',
  'x-request-id',
  'x-forwarded-for',
  'traceparent',
  'range',
  'origin',
  'access-control-request-method',
]
const headerValues = [
  '*/*',
  'application/x-ndjson',
  'application/x-ndjson;q=1, */*;q=0.1',
  'gzip',
  'zstd;q=2',
  'identity;q=0',
  'x',
  ';;,,',
  'sha-256=1',
  '*',
  '',
  'x'.repeat(300),
  'é',
]
const brokenBodies = [
  '{',
  '[',
  'null',
  '',
  '"',
  '\uFEFF{}',
  '{"a":1}{',
  '['.repeat(5_000),
  '{"a":'.repeat(2_000),
]
const jsonTypes = [
  ...Array.from({ length: 8 }, () => 'application/json'),
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
]
const brokenEscapes = ['%zz', '%00', '%ff', '%ed%a0%80']

export function inputsByChance(
  { below, one }: Chance,
  values: Values,
  bodies: Bodies,
  { api, known, token }: { readonly api: OpenApi; readonly known: Known; readonly token: string },
): () => Input {
  const { text, scalar, fraction } = values
  const routes = Object.entries(api.paths).map(([route, operations]) => ({
    route,
    declared: Object.keys(operations).filter((name) => methods.includes(name)),
  }))
  const right: Readonly<Record<string, () => string>> = {
    ontologyRid: () => known.rid,
    ontology: () => one([known.rid, 'one']),
    objectType: () => 'item',
    apiFamily: () => 'one',
    primaryKey: () => 'k1',
    link: () => 'peer',
    apiName: () => 'one',
    loadId: () => '0'.repeat(32),
    part: () => '1',
  }
  const pathOf = (route: string): string =>
    route.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      const value = fraction(90) ? (right[name]?.() ?? 'x') : text()
      return fraction(99) ? encodeURIComponent(value.toWellFormed()) : one(brokenEscapes)
    })
  const parameters = (): string => {
    const parameter = (): string => {
      const name = fraction(90) ? one(parameterNames) : text()
      const value = fraction(90) ? encodeURIComponent(String(scalar()).toWellFormed()) : one(brokenEscapes)
      return `${encodeURIComponent(name.toWellFormed())}=${value}`
    }
    return `?${Array.from({ length: 1 + below(3) }, parameter).join('&')}`
  }
  const bodyOf = (route: string): { readonly type: string; readonly body: string } => {
    if (/\/(batches|objectTypes\/[^/]+\/objects|parts\/[^/]+)$/.test(route))
      return { type: 'application/x-ndjson', body: bodies.lines() }
    const isForm = route.includes('/multipass')
    const type = isForm ? 'application/x-www-form-urlencoded' : one(jsonTypes)
    if (isForm) return { type, body: parameters().slice(1) }
    return { type, body: fraction(3) ? one(brokenBodies) : JSON.stringify(bodies.json(route)) }
  }
  return () => {
    const { route, declared } = one(routes)
    const method = one(fraction(93) && declared.length > 0 ? declared : methods).toUpperCase()
    const isAsked = method === 'GET' || method === 'HEAD'
    const { type, body } = isAsked ? {} : bodyOf(route)
    return {
      route,
      method,
      path: `${pathOf(route)}${fraction(40) ? parameters() : ''}`,
      headers: {
        ...(!fraction(2) && { authorization: `Bearer ${fraction(98) ? token : 'x'}` }),
        ...(type !== undefined && { 'content-type': type }),
        ...(route === '/mcp' && { accept: 'application/json, text/event-stream' }),
        ...(fraction(8) && { [one(headerNames)]: one(headerValues) }),
      },
      body,
    }
  }
}

/** Not sent: they would revoke what the checker itself uses. */
export const wouldRevoke = ({ route, method }: Input): boolean =>
  method === 'DELETE' && /grants|accessTokens/.test(route)
