// Objects of about 400 bytes in which every operator has a condition that ten objects meet, one that a hundredth of them
// meets and one that half of them meet.
import type { ObjectTypeDefinition, Query } from '@octavo/protocol'

export const costDefinition: ObjectTypeDefinition = {
  apiName: 'measured',
  displayName: 'Measured',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    rank: { type: 'integer', searchable: true },
    group: { type: 'integer', searchable: true },
    code: { type: 'string', searchable: true },
    missingFew: { type: 'integer', searchable: true },
    missingSome: { type: 'integer', searchable: true },
    missingMany: { type: 'string', searchable: true },
    tags: { type: { array: 'string' }, searchable: true },
    about: { type: 'string', searchable: true },
    filler: { type: 'string' },
  },
}

export const shares = ['few', 'some', 'many'] as const
export type Share = (typeof shares)[number]

/** Ten objects, a hundredth, half. */
export const matchesOf = (objects: number): Readonly<Record<Share, number>> => ({
  few: 10,
  some: objects / 100,
  many: objects / 2,
})

const filler = 'Reads collections page by page and wonders whether one was lost on the way. '.repeat(2)

/** Numbers are mixed, so that the objects of a share are far from each other in key order. */
export function costObject(number: number, objects: number) {
  const rank = (number * 7919) % objects
  const sizes = matchesOf(objects)
  const { few, some } = sizes
  const share: Share | 'rest' =
    rank < few ? 'few' : rank < few + some ? 'some' : rank >= objects / 2 ? 'many' : 'rest'
  const other = number % 1_000
  return {
    id: `object-${String(number).padStart(9, '0')}`,
    rank,
    group: { few: 1, some: 2, many: 3, rest: 100 + other }[share],
    code: `code-${share === 'rest' ? other : share}`,
    ...(share !== 'few' && { missingFew: other }),
    ...(share !== 'some' && { missingSome: other }),
    ...(share !== 'many' && { missingMany: `value ${other}` }),
    tags: [`t${other}`, share],
    about: `Object number ${other} is one of the ${share} that are looked for, ${share}-like.`,
    filler,
  }
}

export interface Measured {
  readonly operator: string
  /** Whether it is read from a btree; then the bound applies. */
  readonly isRange: boolean
  readonly query: (share: Share, objects: number) => Query
}

const groupOf = { few: 1, some: 2, many: 3 } as const

export const measured: readonly Measured[] = [
  {
    operator: 'eq (integer)',
    isRange: true,
    query: (share) => ({ type: 'eq', field: 'group', value: groupOf[share] }),
  },
  {
    operator: 'eq (string)',
    isRange: true,
    query: (share) => ({ type: 'eq', field: 'code', value: `code-${share}` }),
  },
  {
    operator: 'lt',
    isRange: true,
    query: (share, objects) => ({ type: 'lt', field: 'rank', value: matchesOf(objects)[share] }),
  },
  {
    operator: 'lte',
    isRange: true,
    query: (share, objects) => ({ type: 'lte', field: 'rank', value: matchesOf(objects)[share] - 1 }),
  },
  {
    operator: 'gt',
    isRange: true,
    query: (share, objects) => ({
      type: 'gt',
      field: 'rank',
      value: objects - 1 - matchesOf(objects)[share],
    }),
  },
  {
    operator: 'gte',
    isRange: true,
    query: (share, objects) => ({ type: 'gte', field: 'rank', value: objects - matchesOf(objects)[share] }),
  },
  {
    operator: 'in',
    isRange: true,
    query: (share) => ({ type: 'in', field: 'group', value: [-1, groupOf[share], 9_999_999] }),
  },
  {
    operator: 'in (string)',
    isRange: true,
    query: (share) => ({ type: 'in', field: 'code', value: ['nothing', `code-${share}`, 'zzz'] }),
  },
  {
    operator: 'isNull',
    isRange: true,
    query: (share) => ({
      type: 'isNull',
      field: { few: 'missingFew', some: 'missingSome', many: 'missingMany' }[share],
      value: true,
    }),
  },
  {
    operator: 'contains',
    isRange: false,
    query: (share) => ({ type: 'contains', field: 'tags', value: share }),
  },
  {
    operator: 'anyTerm',
    isRange: false,
    query: (share) => ({ type: 'anyTerm', field: 'about', value: `${share} nowhere` }),
  },
  {
    operator: 'allTerms',
    isRange: false,
    query: (share) => ({ type: 'allTerms', field: 'about', value: `object ${share}` }),
  },
  {
    operator: 'phrase',
    isRange: false,
    query: (share) => ({ type: 'phrase', field: 'about', value: `of the ${share}` }),
  },
  {
    operator: 'prefix',
    isRange: false,
    query: (share) => ({ type: 'prefix', field: 'about', value: `the ${share}` }),
  },
  { operator: 'keyword', isRange: false, query: (share) => ({ type: 'keyword', query: share }) },
  {
    operator: 'and (eq, contains)',
    isRange: false,
    query: (share) => ({
      type: 'and',
      value: [
        { type: 'eq', field: 'group', value: groupOf[share] },
        { type: 'contains', field: 'tags', value: share },
      ],
    }),
  },
  {
    operator: 'not (not contains)',
    isRange: false,
    query: (share) => ({
      type: 'not',
      value: {
        type: 'or',
        value: [
          { type: 'not', value: { type: 'contains', field: 'tags', value: share } },
          { type: 'lt', field: 'rank', value: 0 },
        ],
      },
    }),
  },
]
