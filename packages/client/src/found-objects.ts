// Objects of a type through revision 2.0: every property, queries, and no limit on a walk.
import { afterFields, queryText, waitOf, type AfterPosition } from './after-position.ts'
import type { Aggregate, AggregateField, AggregateOptions } from './aggregated-objects.ts'
import { differenceSince, followFrom, type ChangesOptions, type FollowOptions } from './changed-objects.ts'
import type { Difference } from './changes/difference.ts'
import type { Follow } from './changes/follow.ts'
import { checkOptions } from './options/check-options.ts'
import { atCaller } from './errors/at-caller.ts'
import { inspectedAs } from './inspect/inspected-as.ts'
import type {
  AnyObjectType,
  FoundObject,
  KeyOf,
  ObjectTypeShape,
  PropertyName,
} from './query/object-type-shape.ts'
import type { Query } from './query/query.ts'
import { queryBuilder, type QueryBuilder } from './query/query-builder.ts'
import { partitionObjects, type Partitions, type PartitionOptions } from './partition-objects.ts'
import { searchSettings } from './continued-walk.ts'
import { sendRequest } from './transport/send-request.ts'
import type { Transport } from './transport/transport.ts'
import {
  largestPage,
  rulesOf,
  walkSettings,
  type ListOptions,
  type ReadOptions,
  type WalkOptions,
} from './walk-options.ts'
import type { Page } from './walk/check-page.ts'
import { Walk } from './walk/walk.ts'

/** A query, or a function that builds one: `(q) => q.eq('lastName', 'Byron')`. */
export type QuerySource<Type extends ObjectTypeShape> = Query<Type> | ((q: QueryBuilder<Type>) => Query<Type>)

export interface FoundObjects<Type extends ObjectTypeShape = AnyObjectType> {
  /** All objects, fetched page by page. */
  readonly all: <Name extends PropertyName<Type> = PropertyName<Type>>(
    options?: WalkOptions<Type, Name>,
  ) => Walk<FoundObject<Type, Name>>
  /** All objects that match the query. */
  readonly search: <Name extends PropertyName<Type> = PropertyName<Type>>(
    query: QuerySource<Type>,
    options?: WalkOptions<Type, Name>,
  ) => Walk<FoundObject<Type, Name>>
  /**
   * All objects of one snapshot, or those that match `query`, in one answer: the service sends them as fast as they are read.
   * If the connection is lost, the walk continues where it was.
   */
  readonly stream: <Name extends PropertyName<Type> = PropertyName<Type>>(
    options?: StreamOptions<Type, Name>,
  ) => Walk<FoundObject<Type, Name>>
  readonly pages: <Name extends PropertyName<Type> = PropertyName<Type>>(
    options?: WalkOptions<Type, Name>,
  ) => AsyncIterableIterator<Page<FoundObject<Type, Name>>>
  readonly firstPage: <Name extends PropertyName<Type> = PropertyName<Type>>(
    options?: WalkOptions<Type, Name>,
  ) => Promise<Page<FoundObject<Type, Name>>>
  /**
   * Splits one state of the collection, or of what matches a query, into at most so many partitions, 1 to 64, for readers side by side.
   */
  readonly partitions: <Name extends PropertyName<Type> = PropertyName<Type>>(
    count: number,
    options?: PartitionOptions<Type, Name> & { readonly query?: QuerySource<Type> },
  ) => Promise<Partitions<FoundObject<Type, Name>>>
  /**
   * What has changed since the state that this snapshot token names: applied to a copy of that state, it makes a copy of a later
   * one. If that is not known any more, it throws `ChangesExpired`: read everything again.
   */
  readonly changes: <Name extends PropertyName<Type> = PropertyName<Type>>(
    since: string,
    options?: ChangesOptions<Name> & { readonly query?: QuerySource<Type> },
  ) => Difference<FoundObject<Type, Name>>
  /**
   * Follows the collection from a state on, or from the beginning, without end: each difference leads to a later state. Failures
   * that pass are waited out.
   */
  readonly follow: <Name extends PropertyName<Type> = PropertyName<Type>>(
    options?: FollowOptions<Name> & { readonly query?: QuerySource<Type> },
  ) => Follow<FoundObject<Type, Name>>
  /** The versions of one object that the service keeps, newest first. Without any, it throws `ObjectNotFound`. */
  readonly versions: <Name extends PropertyName<Type> = PropertyName<Type>>(
    key: KeyOf<Type>,
    options?: ListOptions & { readonly select?: readonly Name[] },
  ) => Walk<ObjectVersion<FoundObject<Type, Name>>>
  /** The commits of the collection that the service knows, newest first. `oldestReadable` of a page says which states can be read. */
  readonly commits: (options?: ListOptions) => Walk<TypeCommit>
  /** Counts, sums and other numbers about the objects that match, also by group, without reading them. */
  readonly aggregate: <const Group extends AggregateField<Type> = never>(
    options: AggregateOptions<AggregateField<Type>, Group> & { readonly query?: QuerySource<Type> },
  ) => Promise<Aggregate<Group>>
  /** Reads one object, or throws `ObjectNotFound`. */
  readonly get: <Name extends PropertyName<Type> = PropertyName<Type>>(
    key: KeyOf<Type>,
    options?: ReadOneOptions<Name>,
  ) => Promise<FoundObject<Type, Name>>
}

export interface ReadOneOptions<Name extends string> extends ReadOptions {
  readonly select?: readonly Name[]
  /** Read a state that contains this position of a source. */
  readonly after?: AfterPosition
}

/** A state of an object, or a time without it: from the commit `version` on, until the commit `until`. */
export type ObjectVersion<Item = FoundObject> = {
  readonly version: string
  /** Absent if that commit is older than the commits that the service keeps. */
  readonly committedAt?: string
  /** Absent if it still stands. */
  readonly untilVersion?: string
} & ({ readonly type: 'put'; readonly object: Item } | { readonly type: 'delete' })

/** What was changed together. Its state can be named: `family.snapshot([type], { version })`. */
export interface TypeCommit {
  readonly version: string
  readonly committedAt: string
  /** Objects that did not exist before. Absent, like the other counts, if the type has a policy. */
  readonly created?: number
  readonly updated?: number
  readonly deleted?: number
  /** Lines that changed nothing. */
  readonly unchanged?: number
  /** Objects of the type after the commit. */
  readonly totalCount?: string
  /** Where its source was after it, if it had one. */
  readonly source?: { readonly name: string; readonly generation: number; readonly position: string }
}

/** The options of a walk. A stream is always of one snapshot. */
export interface StreamOptions<Type extends ObjectTypeShape, Name extends string> extends Omit<
  WalkOptions<Type, Name>,
  'snapshot'
> {
  readonly query?: QuerySource<Type>
}

export function foundObjects<Type extends ObjectTypeShape>(
  transport: Transport,
  path: string,
): FoundObjects<Type> {
  const objectPath = (key: KeyOf<Type>) => `${path}/objects/${encodeURIComponent(String(key))}`
  const queryOf = (source: QuerySource<Type>) =>
    typeof source === 'function' ? source(queryBuilder<Type>()) : source
  const walkOf = <Name extends PropertyName<Type>>(
    source: QuerySource<Type>,
    options: WalkOptions<Type, Name>,
    more: { readonly stream?: true } = {},
  ): Walk<FoundObject<Type, Name>> => {
    const { pageSize = largestPage, snapshotToken, orderBy, select, after } = options
    const isStream = more.stream === true
    const snapshot = isStream || (options.snapshot ?? snapshotToken !== undefined)
    const query = queryOf(source)
    const body = {
      query,
      pageSize,
      ...(snapshot && !isStream && { snapshot }),
      ...(snapshotToken !== undefined && { snapshotToken }),
      ...(orderBy !== undefined && { orderBy: { fields: orderBy } }),
      ...(select !== undefined && { select }),
      ...afterFields(after),
    }
    const way = isStream ? 'export' : 'search'
    const request = { kind: 'search', path: `${path}/${way}`, snapshot, nullEnds: false, body } as const
    const whole = { ...request, ...waitOf(after), ...more }
    return new Walk(transport, whole, searchSettings(transport, whole, options))
  }
  const search: FoundObjects<Type>['search'] = (source, options = {}) => {
    checkOptions('A walk', options, rulesOf.search)
    return walkOf(source, options)
  }
  const stream: FoundObjects<Type>['stream'] = (options = {}) => {
    checkOptions('stream()', options, rulesOf.stream)
    const { query = { type: 'empty' }, ...others } = options
    return walkOf(query, others, { stream: true })
  }
  const partitions: FoundObjects<Type>['partitions'] = (count, options = {}) =>
    atCaller(partitions, async () => {
      checkOptions('partitions()', options, rulesOf.partitions)
      const { query = { type: 'empty' }, ...others } = options
      return partitionObjects({ transport, path, query: queryOf(query) }, count, others)
    })
  const changes: FoundObjects<Type>['changes'] = (since, options = {}) => {
    checkOptions('changes()', options, rulesOf.changes)
    const { query, ...others } = options
    return differenceSince({ transport, path, query: query && queryOf(query) }, since, others)
  }
  const follow: FoundObjects<Type>['follow'] = (options = {}) => {
    checkOptions('follow()', options, rulesOf.follow)
    const { query, ...others } = options
    return followFrom({ transport, path, query: query && queryOf(query) }, others)
  }
  const all: FoundObjects<Type>['all'] = (options) => search({ type: 'empty' }, options)
  const versions: FoundObjects<Type>['versions'] = (key, options = {}) => {
    checkOptions('versions()', options, rulesOf.versions)
    const { pageSize = largestPage, select } = options
    const parameters = [
      ['pageSize', String(pageSize)] as const,
      ...(select === undefined ? [] : [['select', select.join(',')] as const]),
    ]
    const request = {
      kind: 'list',
      path: `${objectPath(key)}/versions`,
      snapshot: true,
      nullEnds: false,
      parameters,
    } as const
    return new Walk(transport, request, walkSettings(options))
  }
  const commits: FoundObjects<Type>['commits'] = (options = {}) => {
    checkOptions('commits()', options, rulesOf.commits)
    const { pageSize = largestPage } = options
    const parameters = [['pageSize', String(pageSize)]] as const
    const request = {
      kind: 'list',
      path: `${path}/commits`,
      snapshot: false,
      nullEnds: false,
      parameters,
    } as const
    return new Walk(transport, request, walkSettings(options))
  }
  const aggregate: FoundObjects<Type>['aggregate'] = <Group extends AggregateField<Type>>(
    options: AggregateOptions<AggregateField<Type>, Group> & { readonly query?: QuerySource<Type> },
  ): Promise<Aggregate<Group>> =>
    atCaller(aggregate, async () => {
      checkOptions('aggregate()', options, rulesOf.aggregate)
      const { query, signal, after, ...asked } = options
      const body = { ...asked, query: query && queryOf(query), ...afterFields(after) }
      const request = { path: `${path}/aggregate`, body, ...waitOf(after) }
      return (await sendRequest(transport, request, [signal])) as Aggregate<Group>
    })
  const get: FoundObjects<Type>['get'] = <Name extends PropertyName<Type>>(
    key: KeyOf<Type>,
    options: ReadOneOptions<Name> = {},
  ): Promise<FoundObject<Type, Name>> =>
    atCaller(get, async () => {
      checkOptions('get()', options, rulesOf.get)
      const { select, signal, after } = options
      const query = queryText({ ...(select && { select: select.join(',') }), ...afterFields(after) })
      const request = { path: objectPath(key) + query, ...waitOf(after) }
      return (await sendRequest(transport, request, [signal])) as FoundObject<Type, Name>
    })
  const firstPage: FoundObjects<Type>['firstPage'] = (options) =>
    atCaller(firstPage, async () => all(options).firstPage())
  const pages: FoundObjects<Type>['pages'] = (options) => all(options).pages()
  return inspectedAs(
    { all, search, stream, partitions, changes, follow, versions, commits, pages, firstPage, aggregate, get },
    'Objects',
    () => ({
      path,
    }),
  )
}
