// The objects of the model server: few, but with ties, missing values and strings of every kind.
import type { PropertyValue, ScalarType, SearchableObjectType } from '@octavo/protocol'

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
  },
  orders: [
    [
      { property: 'rank', direction: 'asc' },
      { property: 'label', direction: 'desc' },
    ],
  ],
}

export const otherType: SearchableObjectType = { ...thingType, apiName: 'other', orders: [] }

const labels = ['Zebra', 'apple', 'Éclair', 'éclair', 'zebra', '10', '9', '\u{FF5E}', '\u{1F600}']

/** Ranks have ties, and every sixth thing has none. */
export const thing = (number: number): ModelObject => ({
  id: `t${String(number).padStart(6, '0')}`,
  ...(number % 6 === 0 ? {} : { rank: (number * 7919) % 10 }),
  ...(number % 4 === 0 ? {} : { label: `${labels[number % labels.length]} ${number % 20}` }),
  serial: String(9_007_199_254_740_993n + BigInt((number * 31) % 1_000_000)),
  seenAt: `2024-01-${String(1 + (number % 28)).padStart(2, '0')}T10:00:00${number % 3 === 0 ? '' : `.${number % 9 || 5}`}Z`,
  note: `note ${number}`,
  tags: [`t${number % 3}`],
})

export const idOf = ({ id }: ModelObject): string => (typeof id === 'string' ? id : '')

export const stateOf = (objects: readonly ModelObject[]): State =>
  new Map(objects.map((object) => [idOf(object), object]))
