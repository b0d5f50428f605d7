import { isBoolean, isFunction, isWhole, type OptionRule, type OptionRules } from './options/check-options.ts'
import { afterRule, type AfterPosition } from './after-position.ts'
import type { Difference } from './changes/difference.ts'
import type { AnyObjectType, FoundObject, ObjectTypeShape, OrderBy } from './query/object-type-shape.ts'
import type { WalkNotice } from './walk/check-page.ts'
import type { WalkSettings } from './walk/walk.ts'

export interface ReadOptions {
  readonly signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  /** Objects per page. The default is 1,000, the most that Octavo sends. A page may always be smaller. */
  readonly pageSize?: number
  /** How many pages are prefetched: 1 by default, 0 for none, at most 8. */
  readonly readAhead?: number
  /**
   * Called with what you should know about the walk: `limit` on the first page of a list that will not return all its objects, `changed`
   * on the last page of a walk without a snapshot, if others wrote meanwhile.
   */
  readonly onNotice?: (notice: WalkNotice) => void
}

export interface WalkOptions<Type extends ObjectTypeShape, Name extends string> extends ListOptions {
  /** Read a single state of the collection, regardless of concurrent writes. The default is false. */
  readonly snapshot?: boolean
  /** Read in the state that this token names: that of `family.snapshot()`, or of the last page of another walk. */
  readonly snapshotToken?: string
  /** Read a state that contains this position of a source, such as one that you have just written to. */
  readonly after?: AfterPosition
  /** The default is the primary key. */
  readonly orderBy?: OrderBy<Type>
  /** Return only these properties, and the primary key. */
  readonly select?: readonly Name[]
  /**
   * What to do when the service no longer keeps the snapshot. The default is `fail`. `restart` returns all objects again. `continue`
   * resumes in the latest state, also after a pause in which the page token has expired: `onContinue` gets what has become of the
   * objects that were returned before. It needs a walk of all objects in the order of the key.
   */
  readonly onSnapshotGone?: 'restart' | 'continue' | 'fail'
  /**
   * Called between two pages of a walk with `onSnapshotGone: 'continue'`, with the changes of the objects that were returned before, and
   * of those that would be among them. Apply all of them or none, in one transaction: if it fails, the next call has a later difference
   * from the same state.
   */
  readonly onContinue?: (difference: Difference<FoundObject<Type, Name>>) => void | Promise<void>
}

const mostReadAhead = 8
const mostWaitSeconds = 30

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

const tokenRule: OptionRule = [
  (value) => typeof value === 'string' && value !== '',
  'the snapshotToken of a snapshot, of the last page of a snapshot walk, or of a difference',
  /snapshot.*token|at$/i,
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
    (value) => value === 'restart' || value === 'continue' || value === 'fail',
    "'restart', 'continue' or 'fail'",
    /gone|restart|continue/i,
  ],
  onNotice: [isFunction, 'a function', /notice|warn/i],
  onContinue: [isFunction, 'a function', /on_?(change|continue)/i],
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
  snapshotToken: tokenRule,
  after: afterRule,
  orderBy: [Array.isArray, "a list of keys, such as [{ field: 'name', direction: 'asc' }]", /order|sort/i],
  select: selectRule,
  limit: limitless,
}

const isWaitSeconds = (value: unknown): boolean => isWhole(value) && Number(value) <= mostWaitSeconds

const changesRules: OptionRules = {
  query: queryRule,
  select: selectRule,
  pageSize: walkRules['pageSize'] ?? '',
  toSnapshotToken: [tokenRule[0], tokenRule[1], /until|end|^to/i],
  waitSeconds: [isWaitSeconds, `a whole number of seconds, 0 to ${mostWaitSeconds}`, /wait|poll/i],
  signal: signalRule,
  fromSnapshotToken: 'changes() takes the state first: changes(fromSnapshotToken, options).',
}

export const rulesOf = {
  get: { select: selectRule, after: afterRule, signal: signalRule },
  list: {
    ...walkRules,
    onSnapshotGone: [
      (value) => value === 'restart' || value === 'fail',
      "'restart' or 'fail': only a walk of an API family can be continued",
      /gone|restart/i,
    ],
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
  partitions: {
    pageSize: walkRules['pageSize'] ?? '',
    signal: signalRule,
    readAhead: settingRules['readAhead'] ?? '',
    snapshotToken: walkRules['snapshotToken'] ?? '',
    after: afterRule,
    select: selectRule,
    query: queryRule,
    orderBy: 'Partitions are always in the order of the primary key.',
    snapshot: 'Partitions are always of one state: leave it out, or name the state with `snapshotToken`.',
  },
  versions: {
    pageSize: walkRules['pageSize'] ?? '',
    signal: signalRule,
    readAhead: settingRules['readAhead'] ?? '',
    select: selectRule,
  },
  commits: {
    pageSize: walkRules['pageSize'] ?? '',
    signal: signalRule,
    readAhead: settingRules['readAhead'] ?? '',
  },
  aggregate: {
    aggregation: [Array.isArray, "a list of metrics, such as [{ type: 'count' }]", /metric|aggregat/i],
    groupBy: [Array.isArray, "a list, such as [{ type: 'exact', field: 'name' }]", /group/i],
    query: queryRule,
    snapshotToken: tokenRule,
    after: afterRule,
    signal: signalRule,
  },
  changes: changesRules,
  follow: {
    ...changesRules,
    fromSnapshotToken: tokenRule,
    toSnapshotToken:
      'follow() has no last state: leave the loop, or read changes(fromSnapshotToken, { toSnapshotToken }).',
    waitSeconds: [
      (value) => isWaitSeconds(value) && value !== 0,
      `a whole number of seconds, 1 to ${mostWaitSeconds}`,
      /wait|poll/i,
    ],
    onExpired: [
      (value) => value === 'restart' || value === 'fail',
      "'restart' or 'fail'",
      /expire|gone|restart/i,
    ],
    onState: [isFunction, 'a function', /on_?(state|token|position)/i],
    retries: [(value) => isWhole(value) || value === Infinity, 'a whole number, 0 or more', /retr|attempt/i],
  },
  stream: {
    ...walkRules,
    snapshot: 'A stream is always of one snapshot: leave `snapshot` out.',
    query: queryRule,
  },
  ontologies: { pageSize: walkRules['pageSize'] ?? '', ...settingRules, limit: limitless },
  resume: settingRules,
  snapshot: {
    signal: signalRule,
    after: afterRule,
    at: [
      (value) => value instanceof Date || (typeof value === 'string' && value !== ''),
      "a Date, or a time such as '2026-05-01T09:30:00Z'",
      /time|when|as_?of/i,
    ],
    version: [
      (value) => typeof value === 'string' && value !== '',
      'a version as text, as `versions` has it',
      /revision/i,
    ],
  },
} satisfies Readonly<Record<string, OptionRules>>

export const walkSettings = ({
  signal,
  readAhead = 1,
  onSnapshotGone = 'fail',
  onNotice,
}: ListOptions & Pick<WalkOptions<AnyObjectType, string>, 'onSnapshotGone'> = {}): WalkSettings => ({
  signal,
  readAhead: Math.min(Math.max(0, Math.trunc(readAhead)), mostReadAhead),
  onSnapshotGone,
  onNotice,
})

export const largestPage = 1_000
