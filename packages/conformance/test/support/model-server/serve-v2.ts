// Revision v2 of the model: object sets become queries, and pages of revision 2.0 get other records and another envelope.
import type { IncomingMessage } from 'node:http'
import { pageSizes, type OrderDirection, type Query } from '@octavo/protocol'
import type { ModelAsk } from './model-ask.ts'
import { allTypes, idOf, matches, type ModelObject, thingType, typeNamed } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion, stateAt } from './model-store.ts'
import { numberIn, one, refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn } from './read-search-ask.ts'
import { listedTypes, ontology, serveList } from './serve-catalog.ts'
import { recordOf, servePage, type PageParts } from './serve-page.ts'

interface Asked {
  readonly request: IncomingMessage
  readonly text: string
  readonly parameters: URLSearchParams
  readonly caller: string
}

export function requireOntology({ steps }: Pick<PageParts, 'steps'>, name = ''): void {
  if (!steps.isOntology(name)) refuse('OntologyNotFound', { ontologyRid: name })
}

interface SetQuery {
  readonly objectType: string
  readonly query: Query
}

const setKinds = ['base', 'filter', 'static', 'union', 'intersect', 'subtract']
const conditions = ['eq', 'lt', 'lte', 'gt', 'gte', 'in', 'isNull', 'and', 'or', 'not']
const sentAlong = ['branch', 'sdkPackageRid', 'sdkVersion', 'executeInMemoryOnly']
const everything: Query = { type: 'empty' }

export function serveV2(parts: PageParts, words: readonly string[], asked: Asked): object {
  const [named, kind, name = '', third, more] = words
  const { request, text, parameters } = asked
  if (named === undefined) return { data: [ontology] }
  requireOntology(parts, named)
  const branch = one(parameters, 'branch')
  if (branch !== undefined && branch !== 'main') {
    refuse('InvalidParameterValue', { parameterId: 'branch', parameterValue: branch })
  }
  const body = () => (text === '' ? {} : jsonObjectIn(text))
  switch (`${request.method} ${kind ?? ''}`) {
    case 'GET ':
      return ontology
    case 'GET fullMetadata':
      return {
        ontology,
        objectTypes: Object.fromEntries(allTypes.map(({ apiName }) => [apiName, fullMetadata(apiName)])),
      }
    case 'GET objectTypes':
      if (name === '') return serveList('types', listedTypes('2.0'), { parameters, box: parts.box })
      return third === 'fullMetadata' ? fullMetadata(name) : metadata(name)
    case 'POST objectSets': {
      const { objectSet, ...rest } = body()
      const set = queryOfSet(parts, objectSet as Wire)
      if (name === 'aggregate') return aggregateOf(parts, set)
      return pageOf(parts, { ...rest, ...set }, asked.caller)
    }
    case 'POST objects': {
      const set = { objectType: typeNamed(name).apiName, query: everything }
      if (third === 'count') return { count: found(parts, set.query).length }
      const { where, ...rest } = body()
      const query = where === undefined ? everything : queryOfWhere(parts, where as Wire)
      return pageOf(parts, { ...rest, ...set, query }, asked.caller)
    }
    case 'GET objects': {
      const objectType = typeNamed(name).apiName
      const object =
        third === undefined ? undefined : stateAt(parts.store, latestVersion(parts.store)).get(third)
      if (third !== undefined && more === undefined) {
        return object === undefined
          ? refuse('ObjectNotFound', { objectType, primaryKey: third })
          : flat(parts, object, askOf({ objectType, query: everything }))
      }
      refuseUnknown([...parameters.keys()], ['pageSize', 'pageToken', 'snapshot', 'excludeRid', ...sentAlong])
      return pageOf(
        parts,
        {
          objectType,
          query: everything,
          pageSize: numberIn(one(parameters, 'pageSize')),
          pageToken: one(parameters, 'pageToken'),
        },
        asked.caller,
      )
    }
    default:
      return refuse('PathNotFound', {})
  }
}

export type Wire = Readonly<Record<string, unknown>>

export function queryOfSet(parts: PageParts, set: Wire): SetQuery {
  const type = String(set['type'])
  if (!parts.steps.knowsKind(type, setKinds)) {
    refuse('UnsupportedObjectSet', { type, reason: 'kind', supported: setKinds })
  }
  if (type === 'filter') {
    const inner = queryOfSet(parts, set['objectSet'] as Wire)
    const where = queryOfWhere(parts, set['where'] as Wire)
    return { ...inner, query: { type: 'and', value: [inner.query, where] } }
  }
  if (type === 'static') {
    const keys = (set['objects'] as readonly string[]).map((rid) =>
      Buffer.from(rid.split('.').at(-1) ?? '', 'base64url').toString(),
    )
    return { objectType: thingType.apiName, query: { type: 'in', field: 'id', value: keys } }
  }
  if (!Array.isArray(set['objectSets'])) {
    return {
      objectType: typeNamed(typeof set['objectType'] === 'string' ? set['objectType'] : thingType.apiName)
        .apiName,
      query: everything,
    }
  }
  const sets = set['objectSets'].map((each: Wire) => queryOfSet(parts, each))
  const objectTypes = [...new Set(sets.map(({ objectType }) => objectType))]
  if (objectTypes.length > 1) {
    refuse('UnsupportedObjectSet', { type, reason: 'severalTypes', supported: setKinds, objectTypes })
  }
  const [first = everything, ...rest] = sets.map(({ query }) => query)
  const value =
    type === 'subtract'
      ? [first, ...rest.map((query) => ({ type: 'not', value: query }) as const)]
      : [first, ...rest]
  return { objectType: objectTypes[0] ?? '', query: { type: type === 'union' ? 'or' : 'and', value } }
}

function queryOfWhere(parts: PageParts, where: Wire): Query {
  const type = String(where['type'])
  if (!parts.steps.knowsKind(type, conditions))
    refuse('UnsupportedCondition', { type, supported: conditions })
  const { value, propertyIdentifier, field } = where
  if (type === 'not') return { type: 'not', value: queryOfWhere(parts, value as Wire) }
  if (type === 'and' || type === 'or') {
    return { type, value: (value as readonly Wire[]).map((each) => queryOfWhere(parts, each)) }
  }
  const named = field ?? (propertyIdentifier as { readonly apiName: string }).apiName
  return conditions.includes(type) ? ({ type, field: named, value } as Query) : everything
}

interface OrderBy {
  readonly fields: readonly { readonly field: string; readonly direction: OrderDirection }[]
}

interface Wanted extends SetQuery {
  readonly pageSize?: unknown
  readonly pageToken?: unknown
  readonly snapshot?: unknown
  readonly excludeRid?: unknown
  readonly select?: unknown
  readonly selectV2?: unknown
  readonly orderBy?: unknown
}

export function askOf({
  objectType,
  query,
  pageSize,
  pageToken,
  snapshot,
  select = [],
  selectV2 = [],
  orderBy,
}: Wanted): ModelAsk {
  const names = [
    ...(select as readonly string[]),
    ...(selectV2 as readonly { readonly apiName: string }[]).map(({ apiName }) => apiName),
  ]
  return {
    endpoint: 'searchObjects',
    sizes: pageSizes.listObjects,
    objectType,
    pageSize: pageSize ?? undefined,
    pageToken: pageToken ?? undefined,
    snapshot: snapshot === true,
    snapshotToken: undefined,
    orderBy: ((orderBy as OrderBy | undefined)?.fields ?? []).map(({ field, direction }) => ({
      property: field,
      direction,
    })),
    select: names.length === 0 ? undefined : names,
    query,
  }
}

function pageOf(parts: PageParts, wanted: Wanted, caller: string): object {
  const ask = askOf(wanted)
  const { data, nextPageToken } = servePage(parts, ask, caller) as {
    readonly data: readonly { readonly primaryKey: string }[]
    readonly nextPageToken?: unknown
  }
  const state = stateAt(parts.store, latestVersion(parts.store))
  const total = String(found(parts, ask.query).length)
  return {
    data: data.map(({ primaryKey }) =>
      flat(parts, state.get(primaryKey) ?? {}, ask, wanted.excludeRid === true),
    ),
    ...(nextPageToken !== undefined && { nextPageToken }),
    ...parts.steps.v2Total(total, { isLast: nextPageToken === undefined }),
    propertySecurities: [],
  }
}

function flat({ steps }: PageParts, object: ModelObject, ask: ModelAsk, excludesRid = false): object {
  const { properties } = recordOf(ask, object) as { readonly properties: Wire }
  const { rid } = recordOf({ ...ask, endpoint: 'listObjects' }, object) as { readonly rid: string }
  const title = object['label']
  return steps.flatRecord({
    __primaryKey: idOf(object),
    __apiName: ask.objectType,
    ...(title !== undefined && { __title: title }),
    ...(!excludesRid && { __rid: rid }),
    ...properties,
  })
}

const found = ({ store }: PageParts, query: Query): readonly ModelObject[] =>
  [...stateAt(store, latestVersion(store)).values()].filter((object) => matches(query, object))

const aggregateOf = (parts: PageParts, { query }: SetQuery): object => ({
  accuracy: 'ACCURATE',
  data: [{ group: {}, metrics: [{ name: 'n', value: found(parts, query).length }] }],
})

function metadata(name: string): object {
  const { apiName, displayName, status, primaryKey, titleProperty, properties } = typeNamed(name)
  return {
    apiName,
    displayName,
    pluralDisplayName: displayName,
    status,
    icon: { type: 'blueprint', color: 'blue', name: 'cube' },
    primaryKey,
    titleProperty,
    rid: `ri.ontology.main.object-type.${apiName}`,
    properties: Object.fromEntries(
      Object.entries(properties).map(([each, { type }]) => [
        each,
        { dataType: { type: typeof type === 'string' ? type : 'array' } },
      ]),
    ),
  }
}

const fullMetadata = (name: string): object => ({
  objectType: metadata(name),
  linkTypes: [],
  implementsInterfaces: [],
  implementsInterfaces2: {},
  sharedPropertyTypeMapping: {},
})
