import { isBoolean, isWhole, type OptionRule, type OptionRules } from './options/check-options.ts'
import type { ObjectTypeShape, OrderBy } from './query/object-type-shape.ts'
import type { WalkSettings } from './walk/walk.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  /** Objects per page. The default is 1,000, the most that Octavo sends. A page may always be smaller. */
  readonly pageSize?: number
  /** How many pages are prefetched: 1 by default, 0 for none, at most 8. */
  readonly readAhead?: number
}

export interface WalkOptions<Type extends ObjectTypeShape, Name extends string> extends ListOptions {
  /** Read a single state of the collection, regardless of concurrent writes. The default is false. */
  readonly snapshot?: boolean
  /** Read in the state that this token names: that of `family.snapshot()`, or of the last page of another walk. */
  readonly snapshotToken?: string
  /** The default is the primary key. */
  readonly orderBy?: OrderBy<Type>
  /** Return only these properties, and the primary key. */
  readonly select?: readonly Name[]
  /**
   * What to do when the service no longer keeps the snapshot. The default is `fail`. `restart` returns all objects again.
   */
  readonly onSnapshotGone?: 'restart' | 'fail'
}

const mostReadAhead = 8

const signalRule: OptionRule = [
  (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
  'an AbortSignal, such as controller.signal',
  /abort|cancel/i,
]
const selectRule: OptionRule = [Array.isArray, "a list of properties, such as ['name']", /field|prop|column/i]

const queryRule: OptionRule = [
  (value) => typeof value === 'function' || (typeof value === 'object' && value !== null),
  "a query, such as (q) => q.eq('name', 'Ada')",
  /filter|where|search/i,
]

/** The options of `resume`. */
const settingRules: OptionRules = {
  signal: signalRule,
  readAhead: [
    (value) => typeof value === 'number' && !Number.isNaN(value),
    'a number of pages, 0 to 8',
    /ahead|prefetch/i,
  ],
  onSnapshotGone: [
    (value) => value === 'restart' || value === 'fail',
    "'restart' or 'fail'",
    /gone|restart/i,
  ],
}

const limitless =
  'A walk has no limit. Read `walk.toArray({ limit })`, or leave the loop when you have enough.'

const walkRules: OptionRules = {
  pageSize: [
    (value) => isWhole(value) && value !== 0,
    'a whole number, 1 or more; the service sends at most 1,000 objects a page',
    /size|per_?page/i,
  ],
  ...settingRules,
  snapshot: [isBoolean, 'true or false', /^snapshot$|consistent/i],
  snapshotToken: [
    (value) => typeof value === 'string' && value !== '',
    'the snapshotToken of a snapshot, or of the last page of a snapshot walk',
    /snapshot.*token|at$/i,
  ],
  orderBy: [Array.isArray, "a list of keys, such as [{ field: 'name', direction: 'asc' }]", /order|sort/i],
  select: selectRule,
  limit: limitless,
}

export const rulesOf = {
  get: { select: selectRule, signal: signalRule },
  list: {
    ...walkRules,
    filters: [
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'an object, such as { age: { gte: 18 } }',
      /filter|where/i,
    ],
  },
  search: {
    ...walkRules,
    filters:
      "`filters` are for lists: client.ontology(rid).objects(type). Here, write a query: .search((q) => q.eq('name', 'Ada')).",
  },
  parts: {
    pageSize: walkRules['pageSize'] ?? '',
    signal: signalRule,
    readAhead: settingRules['readAhead'] ?? '',
    snapshotToken: walkRules['snapshotToken'] ?? '',
    select: selectRule,
    query: queryRule,
    orderBy: 'Parts are always in the order of the primary key.',
    snapshot: 'Parts are always of one state: leave it out, or name the state with `snapshotToken`.',
  },
  stream: {
    ...walkRules,
    snapshot: 'A stream is always of one snapshot: leave `snapshot` out.',
    query: queryRule,
  },
  ontologies: { pageSize: walkRules['pageSize'] ?? '', ...settingRules, limit: limitless },
  resume: settingRules,
  snapshot: { signal: signalRule },
} satisfies Readonly<Record<string, OptionRules>>

export const walkSettings = ({
  signal,
  readAhead = 1,
  onSnapshotGone = 'fail',
}: ListOptions & { readonly onSnapshotGone?: 'restart' | 'fail' } = {}): WalkSettings => ({
  signal,
  readAhead: Math.min(Math.max(0, Math.trunc(readAhead)), mostReadAhead),
  onSnapshotGone,
})

export const largestPage = 1_000
