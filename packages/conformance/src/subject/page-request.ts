// A request for a page, in the shape of each revision.
import { mediaTypes, type OrderDirection, type ScalarValue } from '@octavo/protocol'
import type { Sent } from '../exchange/exchange.ts'
import type { Collection } from '../exchange/collection.ts'

export interface OrderKey {
  readonly property: string
  readonly direction: OrderDirection
}

/** One condition that both revisions can express. */
export type Filter =
  | { readonly kind: 'anyOf'; readonly property: string; readonly values: readonly ScalarValue[] }
  | {
      readonly kind: 'gt' | 'gte' | 'lt' | 'lte'
      readonly property: string
      readonly value: ScalarValue
    }
  | { readonly kind: 'isNull'; readonly property: string; readonly value: boolean }

/** Every value is sent unchanged, even if it is wrong. */
export interface PageAsk {
  readonly pageSize?: unknown
  readonly pageToken?: unknown
  readonly snapshot?: unknown
  readonly snapshotToken?: unknown
  readonly orderBy?: readonly OrderKey[] | undefined
  readonly select?: readonly string[] | undefined
  readonly filter?: Filter | undefined
}

/** A request to split objects into parts (P253); every value is sent unchanged. */
export interface PartitionsAsk extends Pick<PageAsk, 'filter' | 'select' | 'snapshotToken'> {
  readonly partitionCount?: unknown
}

/** A request for changes (P270); every value is sent unchanged. */
export interface ChangesAsk extends Pick<PageAsk, 'filter' | 'select' | 'pageSize' | 'pageToken'> {
  /** Names the state that the kit has. */
  readonly since?: unknown
  /** Names the later state. */
  readonly to?: unknown
  readonly waitSeconds?: unknown
}

/** Parameters or fields beyond those of `PageAsk`. */
export type Extra = Readonly<Record<string, unknown>>

export function collectionPath({ revision, ontology, objectType, through }: Collection): string {
  const [owner, type] = [encodeURIComponent(ontology), encodeURIComponent(objectType)]
  const link = through && `links/${encodeURIComponent(through.link)}`
  if (revision === '2.0')
    return `/api/${owner}/v1/objects/types/${type}/${link === undefined ? '' : `${link}/`}search`
  const objects = `/api/v1/ontologies/${owner}/objects/${type}`
  return link === undefined ? objects : `${objects}/${encodeURIComponent(through?.from ?? '')}/${link}`
}

/** One object, which only revision 1.0 returns (P74). */
export const objectPath = (collection: Collection, key: ScalarValue): string =>
  `${collectionPath(collection)}/${encodeURIComponent(String(key))}`

export const snapshotsPath = ({ ontology }: Collection): string =>
  `/api/${encodeURIComponent(ontology)}/v1/snapshots`

export const objectTypesPath = ({ revision, ontology }: Collection): string =>
  revision === '1.0'
    ? `/api/v1/ontologies/${encodeURIComponent(ontology)}/objectTypes`
    : `/api/${encodeURIComponent(ontology)}/v1/objects/types`

export const objectTypePath = (collection: Collection): string =>
  `${objectTypesPath(collection)}/${encodeURIComponent(collection.objectType)}`

export const getRequest = (path: string): Sent => ({ method: 'GET', path, headers: {} })

export const postRequest = (path: string, body: unknown): Sent => ({
  method: 'POST',
  path,
  headers: { 'content-type': mediaTypes.json },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export function pageRequest(collection: Collection, ask: PageAsk, extra: Extra = {}): Sent {
  if (collection.revision === '2.0')
    return postRequest(collectionPath(collection), { ...searchBody(ask), ...extra })
  return getRequest(
    collectionPath(collection) + queryString([...listParameters(ask), ...Object.entries(extra)]),
  )
}

/** A request for a stream (P260). */
export const exportRequest = (collection: Collection, ask: PageAsk, extra: Extra = {}): Sent =>
  postRequest(`${objectTypePath(collection)}/export`, { ...searchBody(ask), ...extra })

/** A request for the number of objects (P245). */
export const countRequest = (collection: Collection, ask: Pick<PageAsk, 'filter' | 'snapshotToken'>): Sent =>
  postRequest(`${objectTypePath(collection)}/count`, searchBody(ask))

export const partitionsRequest = (
  collection: Collection,
  { filter, ...ask }: PartitionsAsk,
  extra: Extra = {},
): Sent =>
  postRequest(`${objectTypePath(collection)}/partitions`, {
    ...ask,
    ...(filter && { query: queryOf(filter) }),
    ...extra,
  })

export const changesRequest = (collection: Collection, { filter, since, to, ...ask }: ChangesAsk): Sent =>
  postRequest(`${objectTypePath(collection)}/changes`, {
    fromSnapshotToken: since,
    toSnapshotToken: to,
    ...ask,
    ...(filter && { query: queryOf(filter) }),
  })

/** A request for numbers about objects (P300), the same in both revisions; every value is sent unchanged. */
export interface AggregateAsk extends Pick<PageAsk, 'filter' | 'snapshotToken'> {
  readonly aggregation?: unknown
  readonly groupBy?: unknown
}

export const aggregateRequest = (
  collection: Collection,
  { filter, ...ask }: AggregateAsk,
  extra: Extra = {},
): Sent =>
  postRequest(
    `${collection.revision === '1.0' ? collectionPath(collection) : objectTypePath(collection)}/aggregate`,
    {
      ...ask,
      ...(filter && { query: queryOf(filter) }),
      ...extra,
    },
  )

const queryString = (parameters: readonly (readonly [string, unknown])[]): string =>
  parameters.length === 0
    ? ''
    : `?${parameters
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&')}`

/** The body of a search; fields that are not set are left out. */
export function searchBody({ filter, orderBy, ...ask }: PageAsk): Record<string, unknown> {
  return {
    query: filter === undefined ? { type: 'empty' } : queryOf(filter),
    ...ask,
    ...(orderBy && {
      orderBy: { fields: orderBy.map(({ property, direction }) => ({ field: property, direction })) },
    }),
  }
}

export const queryOf = (filter: Filter): unknown =>
  filter.kind === 'anyOf'
    ? { type: 'in', field: filter.property, value: filter.values }
    : { type: filter.kind, field: filter.property, value: filter.value }

/** The query string of a list, as pairs of name and value. */
export function listParameters(ask: PageAsk): readonly (readonly [string, unknown])[] {
  const { filter, orderBy, select, ...plain } = ask
  return [
    ...Object.entries(plain).filter(([, value]) => value !== undefined),
    ...(select === undefined ? [] : [['properties', select.join(',')] as const]),
    ...(orderBy === undefined
      ? []
      : [
          ['orderBy', orderBy.map((key) => `properties.${key.property}:${key.direction}`).join(',')] as const,
        ]),
    ...(filter === undefined ? [] : filterParameters(filter)),
  ]
}

const filterParameters = (filter: Filter): readonly (readonly [string, unknown])[] =>
  filter.kind === 'anyOf'
    ? filter.values.map((value) => [`properties.${filter.property}.eq`, value] as const)
    : [[`properties.${filter.property}.${filter.kind}`, filter.value]]
