// Objects of a type through revision 1.0: scalar properties, filters, and at most 10,000 objects a walk.
import { afterFields, queryText, waitOf } from './after-position.ts'
import type { ReadOneOptions } from './found-objects.ts'
import { checkOptions } from './options/check-options.ts'
import { atCaller } from './errors/at-caller.ts'
import { inspectedAs } from './inspect/inspected-as.ts'
import type {
  AnyObjectType,
  KeyOf,
  ListedObject,
  ObjectTypeShape,
  ScalarName,
  ScalarValue,
} from './query/object-type-shape.ts'
import type { FieldOf, ValueOf } from './query/query.ts'
import { sendRequest } from './transport/send-request.ts'
import type { Transport } from './transport/transport.ts'
import { largestPage, rulesOf, walkSettings, type WalkOptions } from './walk-options.ts'
import type { Page } from './walk/check-page.ts'
import { Walk } from './walk/walk.ts'
import type { WalkRequest } from './walk/walk-request.ts'

export type FilterOperator = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte' | 'isNull' | 'contains'

/** The filters of one field, by its kind: what does not compile here, the service would refuse. */
type FiltersOf<Kind, Value> = Kind extends `${string}[]`
  ? { readonly contains?: Value | readonly Value[]; readonly isNull?: boolean }
  : {
      readonly eq?: Value | readonly Value[]
      readonly neq?: Value | readonly Value[]
      readonly isNull?: boolean
    } & (Kind extends 'boolean'
      ? unknown
      : { readonly lt?: Value; readonly lte?: Value; readonly gt?: Value; readonly gte?: Value })

type AnyFilters = { readonly [Operator in FilterOperator]?: ScalarValue | readonly ScalarValue[] }

/**
 * `{ age: { gte: 18 }, city: { eq: ['Rome', 'Oslo'] } }`: all conditions must hold; of several values for `eq` or
 * `contains`, any one.
 */
export type Filters<Type extends ObjectTypeShape> = {
  readonly [Field in Exclude<FieldOf<Type>, `${string}:${string}`>]?: Field extends keyof Type['fields']
    ? Type['fields'][Field] extends 'any'
      ? AnyFilters
      : FiltersOf<Type['fields'][Field], ValueOf<Type, Field>>
    : never
}

export interface ListWalkOptions<Type extends ObjectTypeShape, Name extends string> extends Omit<
  WalkOptions<Type, Name>,
  'onSnapshotGone' | 'onContinue'
> {
  /** What to do when the service no longer keeps the snapshot. The default is `fail`. `restart` returns all objects again. */
  readonly onSnapshotGone?: 'restart' | 'fail'
  readonly filters?: Filters<Type>
}

export interface ListedObjects<Type extends ObjectTypeShape = AnyObjectType> {
  /** All objects, fetched page by page. */
  readonly all: <Name extends ScalarName<Type> = ScalarName<Type>>(
    options?: ListWalkOptions<Type, Name>,
  ) => Walk<ListedObject<Type, Name>>
  readonly pages: <Name extends ScalarName<Type> = ScalarName<Type>>(
    options?: ListWalkOptions<Type, Name>,
  ) => AsyncIterableIterator<Page<ListedObject<Type, Name>>>
  readonly firstPage: <Name extends ScalarName<Type> = ScalarName<Type>>(
    options?: ListWalkOptions<Type, Name>,
  ) => Promise<Page<ListedObject<Type, Name>>>
  /** Reads one object, or throws `ObjectNotFound`. */
  readonly get: <Name extends ScalarName<Type> = ScalarName<Type>>(
    key: KeyOf<Type>,
    options?: ReadOneOptions<Name>,
  ) => Promise<ListedObject<Type, Name>>
}

export function listedObjects<Type extends ObjectTypeShape>(
  transport: Transport,
  path: string,
): ListedObjects<Type> {
  const all: ListedObjects<Type>['all'] = (options = {}) => {
    checkOptions('A walk', options, rulesOf.list)
    return new Walk(transport, listRequest(path, options), walkSettings(options))
  }
  const get: ListedObjects<Type>['get'] = (key, options = {}) =>
    atCaller(get, async () => {
      checkOptions('get()', options, rulesOf.get)
      const { select, signal, after } = options
      const query = queryText({ ...(select && { properties: select.join(',') }), ...afterFields(after) })
      const request = { path: `${path}/${encodeURIComponent(String(key))}${query}`, ...waitOf(after) }
      return (await sendRequest(transport, request, [signal])) as never
    })
  const firstPage: ListedObjects<Type>['firstPage'] = (options) =>
    atCaller(firstPage, async () => all(options).firstPage())
  return inspectedAs({ all, pages: (options) => all(options).pages(), firstPage, get }, 'Objects', () => ({
    path,
  }))
}

function listRequest<Type extends ObjectTypeShape, Name extends string>(
  path: string,
  {
    pageSize = largestPage,
    snapshotToken,
    orderBy,
    select,
    filters = {},
    after,
    ...rest
  }: ListWalkOptions<Type, Name>,
): WalkRequest {
  const snapshot = rest.snapshot ?? snapshotToken !== undefined
  const order = orderBy?.map(({ field, direction = 'asc' }) => `properties.${field}:${direction}`)
  const parameters: (readonly [string, string])[] = [
    ['pageSize', String(pageSize)],
    ...(snapshot ? [['snapshot', 'true'] as const] : []),
    ...(snapshotToken === undefined ? [] : [['snapshotToken', snapshotToken] as const]),
    ...(order === undefined ? [] : [['orderBy', order.join(',')] as const]),
    ...(select === undefined ? [] : [['properties', select.join(',')] as const]),
    ...Object.entries(afterFields(after)).map(([name, value]) => [name, String(value)] as const),
  ]
  for (const [field, conditions] of Object.entries<object>(filters as Readonly<Record<string, object>>)) {
    for (const [operator, values] of Object.entries<unknown>({ ...conditions })) {
      for (const value of [values].flat()) parameters.push([`properties.${field}.${operator}`, String(value)])
    }
  }
  return { kind: 'list', path, snapshot, nullEnds: true, parameters, ...waitOf(after) }
}
