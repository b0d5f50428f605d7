// A valid request to every endpoint, to be made invalid. An endpoint that is unknown here fails the proof, so that none is
// forgotten.
import type { Random } from '@octavo/model'
import { mediaTypes } from '@octavo/protocol'
import type { DescribedRoute } from '../../packages/service/test/inside.ts'
import { itemDefinition, itemId } from '../../packages/service/test/support/load-items.ts'
import { everyScope, testSubject } from '../../packages/service/test/support/test-access.ts'
import { badQueryObject } from './bad-query.ts'
import { loadedType, spoiltOntology, spoiltTypes, type BadInputTarget } from './spoilt-ontology.ts'

/** By the name of the path parameter. */
export type PathNames = Readonly<Record<string, string>>

export function rightNames(
  random: Random,
  target: BadInputTarget,
  { url, description }: DescribedRoute,
): PathNames {
  const changes = url.startsWith('/manage/')
  const addsPart = url.endsWith('/parts/:part')
  const objectType = addsPart ? loadedType : changes ? random.pick(spoiltTypes) : target.objectType
  const known: PathNames = {
    objectType,
    apiFamily: target.apiFamily,
    ontology: !changes
      ? target.ontologyRid
      : description.operationId === 'applyOntology'
        ? random.pick([spoiltOntology, spoiltOntology, 'spoilt2', 'spoilt3'])
        : target.spoilt.ontologyRid,
    primaryKey: itemId(1),
    link: random.pick(['same', 'sameAs', 'other']),
    part: '1',
    loadId: addsPart
      ? target.spoilt.partLoad
      : (target.spoilt[url.endsWith('/finish') ? 'finishedLoads' : 'loads'][objectType] ?? ''),
    accessTokenId: random.pick(target.spoilt.accessTokenIds),
    name: random.chance(0.02) ? testSubject : random.pick(['a', 'b']),
  }
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const right = known[name]
      if (right === undefined) throw new Error(`Add a right value of "${name}" to right-requests.ts: ${url}`)
      return [name, right]
    }),
  )
}

type RightBody = (random: Random, target: BadInputTarget, names: PathNames) => unknown

const metricsOf = (random: Random): object => ({
  aggregation: [
    { type: 'count', direction: random.pick(['ASC', 'DESC', null]) },
    { type: 'max', field: 'rank' },
  ],
  ...(random.chance(0.5) && {
    groupBy: [
      random.pick<object>([
        { type: 'exact', field: 'label', maxGroupCount: 2, includeNullValues: true },
        { type: 'fixedWidth', field: 'rank', fixedWidth: 10 },
        { type: 'ranges', field: 'rank', ranges: [{ startValue: 1, endValue: 5 }, { startValue: 5 }] },
      ]),
    ],
  }),
})

const aggregateBody: RightBody = (random, target) => ({
  ...metricsOf(random),
  ...(random.chance(0.5) && { query: badQueryObject(random, target, 0) }),
})

const wheres: readonly [object, ...object[]] = [
  { type: 'eq', field: 'rank', value: 1 },
  { type: 'not', value: { type: 'in', field: 'label', value: ['a', 'b'] } },
  { type: 'and', value: [] },
  { type: 'containsAnyTerm', field: 'label', value: 'a b', fuzzy: false },
  { type: 'isNull', propertyIdentifier: { type: 'property', apiName: 'rank' }, value: true },
]

const setOf = (random: Random, { objectType }: BadInputTarget): object => {
  const base = { type: 'base', objectType }
  const filtered = { type: 'filter', objectSet: base, where: random.pick(wheres) }
  return random.pick<object>([
    base,
    filtered,
    { type: random.pick(['union', 'intersect', 'subtract']), objectSets: [base, filtered] },
    { type: 'searchAround', objectSet: filtered, link: random.pick(['same', 'sameAs', 'other']) },
    { type: 'asType', objectSet: filtered, entityType: objectType },
  ])
}

const loadBody: RightBody = (random, target) => ({
  objectSet: setOf(random, target),
  select: [],
  selectV2: random.pick<readonly object[]>([[], [{ type: 'property', apiName: 'rank' }]]),
  excludeRid: random.chance(0.5),
  snapshot: random.chance(0.5),
})

const grantBody: RightBody = (random) => ({ role: random.pick(['reader', 'writer', 'owner']) })

const bodies: Readonly<Record<string, RightBody>> = {
  searchObjects: (random, target) => ({ query: badQueryObject(random, target, 0) }),
  searchLinkedObjects: (random, target) => ({ query: badQueryObject(random, target, 0) }),
  listLinkPairs: (random, target) => ({ query: badQueryObject(random, target, 0) }),
  countObjects: (random, target) => ({ query: badQueryObject(random, target, 0) }),
  aggregateObjects: aggregateBody,
  aggregateFamilyObjects: aggregateBody,
  partitionObjects: (random, target) => ({
    partitionCount: random.pick([1, 2, 64]),
    ...(random.chance(0.5) && { query: badQueryObject(random, target, 0) }),
  }),
  readChanges: (random, target) => ({
    fromSnapshotToken: target.snapshotToken,
    ...(random.chance(0.3) && { query: badQueryObject(random, target, 0) }),
    ...(random.chance(0.3) && { toSnapshotToken: target.snapshotToken }),
  }),
  loadObjectSetV2: loadBody,
  loadObjectSetOfSeveralTypesV2: loadBody,
  aggregateObjectSetV2: (random, target) => ({
    objectSet: setOf(random, target),
    ...metricsOf(random),
  }),
  searchObjectsV2: (random) => ({ where: random.pick(wheres), pageSize: random.pick([1, 100]) }),
  aggregateObjectsV2: (random) => ({
    where: random.pick(wheres),
    ...metricsOf(random),
  }),
  loadOntologyMetadata: (random, { objectType }) => (random.chance(0.5) ? {} : { objectTypes: [objectType] }),
  exportObjects: (random) => ({
    ...(random.chance(0.5) && { query: { type: 'empty' } }),
    ...(random.chance(0.3) && { select: ['rank'] }),
  }),
  takeSnapshot: (random, { objectType }) => ({
    objectTypes: [objectType],
    ...(random.chance(0.3) && { at: '2026-05-01T09:30:00Z' }),
    ...(random.chance(0.3) && { version: '1' }),
  }),
  applyOntology: (random, _, { ontology: apiName = '' }) => ({
    apiName,
    displayName: random.pick(['Spoilt', 'Spoiled']),
    description: 'For requests that nobody should send.',
    apiFamilies: random.pick([[], [apiName]]),
  }),
  applyObjectType: (random, _, { objectType = '' }) => ({
    ...itemDefinition(objectType),
    description: random.pick(['', 'One', 'Two']),
    orders: [
      {
        fields: [
          { field: 'rank', direction: 'asc' },
          { field: 'label', direction: 'desc' },
        ],
      },
    ],
    ...(random.chance(0.3) && { policy: { type: 'eq', field: 'id', value: { claim: 'sub' } } }),
  }),
  createAccessToken: (random) => ({
    subject: random.pick(['a', 'b']),
    groups: ['a'],
    scopes: [random.pick(everyScope)],
    description: 'Spoilt',
    expiresAt: '2130-01-01T00:00:00Z',
  }),
  putGrantOfSubject: grantBody,
  putGrantOfGroup: grantBody,
  commitBatch: (random) => lineOf(random),
  commitBatchOfTypes: (random) => ({ ...lineOf(random), objectType: random.pick(spoiltTypes) }),
  replaceObjects: (random) => putOf(random),
  putLoadPart: (random) => putOf(random),
  beginLoad: (random) => ({ objectTypes: [random.pick(spoiltTypes)], replace: random.chance(0.5) }),
  finishLoad: (random) => ({ maxDeletions: random.pick<number | string>([100, '100%']) }),
}

/** One line if the body has many; undefined if there is no body. */
export function rightBody(
  random: Random,
  target: BadInputTarget,
  { route, names }: { readonly route: DescribedRoute; readonly names: PathNames },
): unknown {
  const { operationId, body } = route.description
  if (body === undefined) return undefined
  const right = bodies[operationId]
  if (right === undefined) throw new Error(`Add a right body of ${operationId} to right-requests.ts.`)
  return right(random, target, names)
}

const queries: Readonly<Record<string, string>> = {
  // A replacement by a few lines deletes nearly everything.
  replaceObjects: '?maxDeletions=100%25',
}

export const rightQuery = ({ operationId }: DescribedRoute['description']): string =>
  queries[operationId] ?? ''

const lineOf = (random: Random) =>
  random.chance(0.3) ? { type: 'delete', primaryKey: keyOf(random) } : putOf(random)

const putOf = (random: Random) => ({
  type: 'put',
  properties: {
    id: keyOf(random),
    rank: random.integer(0, 100),
    label: 'A label',
    tags: ['a', 'b'],
    names: [{ firstName: 'Ada', lastName: 'Byron' }],
  },
})

const keyOf = (random: Random) => itemId(random.integer(0, 200))

export const isOfLines = ({ description }: DescribedRoute): boolean =>
  description.bodyType === mediaTypes.ndjson
