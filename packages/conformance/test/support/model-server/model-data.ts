// The objects of the model server: few, but with ties, missing values and strings of every kind.
import { compareSortKeys, matchesQuery, sortKeyOf } from '@octavo/model'
import type { OrderDirection, PropertyValue, Query, ScalarType, SearchableObjectType } from '@octavo/protocol'
import { refuse } from './model-refusal.ts'

export type ModelObject = Readonly<Record<string, PropertyValue>>
/** The objects of one version by primary key. A state is immutable: a commit creates another. */
export type State = ReadonlyMap<string, ModelObject>

export const ontologyRid = 'ri.ontology.main.ontology.model'
export const apiFamily = 'model'

const property = (
  type: ScalarType | { array: 'string' },
  allowed: { searchable?: true; sortable?: true } = {},
) => ({
  type,
  searchable: allowed.searchable === true,
  sortable: allowed.sortable === true,
})

export const thingType: SearchableObjectType = {
  apiName: 'thing',
  displayName: 'Thing',
  status: 'ACTIVE',
  visibility: 'NORMAL',
  primaryKey: 'id',
  titleProperty: 'label',
  properties: {
    id: property('string', { searchable: true, sortable: true }),
    rank: property('integer', { searchable: true, sortable: true }),
    label: property('string', { sortable: true }),
    serial: property('long', { sortable: true }),
    seenAt: property('timestamp', { sortable: true }),
    note: property('string'),
    tags: property({ array: 'string' }, { searchable: true }),
    ownerId: property('string', { searchable: true }),
    friendIds: property({ array: 'string' }, { searchable: true }),
  },
  links: {
    owner: {
      objectType: 'owner',
      cardinality: 'ONE',
      foreignKeyProperty: 'ownerId',
      reverse: 'things',
    },
    friends: {
      objectType: 'thing',
      cardinality: 'MANY',
      foreignKeyProperty: 'friendIds',
      reverse: 'friendOf',
    },
    friendOf: { objectType: 'thing', cardinality: 'MANY', reverse: 'friends' },
  },
  orders: [
    {
      fields: [
        { field: 'rank', direction: 'asc' },
        { field: 'label', direction: 'desc' },
      ],
    },
  ],
}

const otherType: SearchableObjectType = { ...thingType, links: {}, apiName: 'other', orders: [] }

/** Its objects never change. */
export const ownerType: SearchableObjectType = {
  ...thingType,
  apiName: 'owner',
  displayName: 'Owner',
  properties: { id: property('string', { searchable: true, sortable: true }), label: property('string') },
  links: { things: { objectType: 'thing', cardinality: 'MANY', reverse: 'owner' } },
  orders: [],
}

const types = [otherType, ownerType, thingType]

export const typeNames: readonly string[] = types.map(({ apiName }) => apiName)

export const typeNamed = (name: string): SearchableObjectType =>
  types.find(({ apiName }) => apiName === name) ?? refuse('ObjectTypeNotFound', { objectType: name })

export const allTypes: readonly SearchableObjectType[] = types

const labels = ['Zebra', 'apple', 'Éclair', 'éclair', 'zebra', '10', '9', '\u{FF5E}', '\u{1F600}']

/** Ranks have ties, and every sixth thing has none. */
export const thing = (number: number): ModelObject => ({
  id: thingId(number),
  ...(number % 6 === 0 ? {} : { rank: (number * 7919) % 10 }),
  ...(number % 4 === 0 ? {} : { label: `${labels[number % labels.length]} ${number % 20}` }),
  serial: String(9_007_199_254_740_993n + BigInt((number * 31) % 1_000_000)),
  seenAt: `2024-01-${String(1 + (number % 28)).padStart(2, '0')}T10:00:00${number % 3 === 0 ? '' : `.${number % 9 || 5}`}Z`,
  note: `note ${number}`,
  tags: [`t${number % 3}`],
  // Some have no owner, and some one whom no caller may see.
  ...(number % 5 === 0 ? {} : { ownerId: number % 7 === 3 ? hiddenOwner : `o${(number * 3) % 8}` }),
  ...(number % 4 === 0 ? {} : { friendIds: friendsOf(number) }),
})

const thingId = (number: number): string => `t${String(number).padStart(6, '0')}`

/** In no order, one of them twice, and one that is nobody. */
const friendsOf = (number: number): string[] =>
  [number + 2, number + 1, 999_999, number + 2].map((friend) => thingId(friend))

/** Objects that a policy hides from every caller: a correct server never tells of them. */
const hiddenOwner = 'o3-hidden'
export const hiddenThing: ModelObject = { ...thing(25), id: 't000025-hidden', rank: 99, label: '\u{10FFFF}' }

export const idOf = ({ id }: ModelObject): string => (typeof id === 'string' ? id : '')

/** The last one owns nothing. */
export const owners: State = new Map(
  Array.from({ length: 9 }, (_, i) => [`o${i}`, { id: `o${i}`, label: `Owner ${i}` }]),
)

export const stateOf = (objects: readonly ModelObject[]): State =>
  new Map(objects.map((object) => [idOf(object), object]))

/** Of any type: the properties of the others are some of those of a thing. */
export const matches = (query: Query, object: ModelObject): boolean => matchesQuery(thingType, query, object)

export function compareBy(
  property: string,
  direction: OrderDirection,
  a: ModelObject,
  b: ModelObject,
): number {
  const scalar = scalarType(property)
  return compareSortKeys(sortKeyOf(scalar, a[property]), sortKeyOf(scalar, b[property]), direction)
}

export function scalarType(property: string): ScalarType {
  const type = thingType.properties[property]?.type
  return typeof type === 'string' ? type : 'string'
}
