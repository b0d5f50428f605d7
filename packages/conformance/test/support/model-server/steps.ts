// The steps of a page, each as the contract requires. A broken server replaces one of them.
import type { IncomingHttpHeaders } from 'node:http'
import { expectedOrder } from '@octavo/model'
import { limits, type BatchLine, type PageSizes } from '@octavo/protocol'
import { checksumOf, type HashedObject } from '../../../src/subject/content-checksum.ts'
import { correctAggregateSteps, type AggregateSteps } from './aggregate-steps.ts'
import { correctChangesSteps, type ChangesSteps } from './changes-steps.ts'
import { compressed, type SentBody } from './compressed.ts'
import { correctLinksSteps, type LinksSteps } from './links-steps.ts'
import { identityOf, type ModelAsk, type NamedState } from './model-ask.ts'
import {
  apiFamily,
  compareBy,
  idOf,
  matches,
  type ModelObject,
  ontologyRid,
  type State,
  thingType,
} from './model-data.ts'
import { refuse } from './model-refusal.ts'
import {
  addCommit,
  applied,
  latestVersion,
  stateAt,
  versionUpTo,
  type EarlierState,
  type ModelStore,
} from './model-store.ts'
import { versionsOf, type ModelVersion } from './object-versions.ts'
import type { ModelSnapshot, ModelWalk, TokenBox } from './model-token.ts'
import { correctSubscriptionSteps, type SubscriptionSteps } from './subscription-steps.ts'
import { correctV2Steps, type V2Steps } from './v2-steps.ts'

interface TakenPage {
  readonly objects: readonly ModelObject[]
  readonly hasMore: boolean
  /** The last object, after which the next page continues. */
  readonly last: ModelObject | undefined
}

interface SentPage extends TakenPage {
  readonly size: number
  /** The number of objects in all pages of the walk so far, this one included. */
  readonly returned: number
}

interface SnapshotAsked {
  readonly objectType: string
  readonly caller: string
  readonly box: TokenBox
}

export interface Steps extends ChangesSteps, LinksSteps, AggregateSteps, V2Steps, SubscriptionSteps {
  /** The caller; undefined refuses the request. */
  readonly callerOf: (
    bearer: string | undefined,
    request: { readonly hasPageToken: boolean },
  ) => string | undefined
  /** Refuses the body of a request that has none. */
  readonly refuseBody: (text: string) => void
  /** Refuses a precondition of a batch. */
  readonly refusePreconditions: (headers: IncomingHttpHeaders) => void
  /** Whether a path may name the ontology so. */
  readonly isOntology: (name: string) => boolean
  readonly pageSizeOf: (asked: unknown, sizes: PageSizes) => number
  /** Undefined starts a new walk, which no correct server does when it gets a token. */
  readonly openToken: (token: unknown, box: TokenBox) => ModelWalk | undefined
  /** Refuses a walk of another caller or request, or one that is too old. */
  readonly checkWalk: (walk: ModelWalk, ask: ModelAsk, caller: string) => void
  /** The version that a new snapshot token names. */
  readonly takeSnapshot: (store: ModelStore, earlier: EarlierState) => number
  /** The versions of the object with this key, up to a version, newest first. */
  readonly versionsOf: (store: ModelStore, key: string, newest: number) => readonly ModelVersion[]
  readonly openSnapshot: (token: unknown, asked: SnapshotAsked) => NamedState
  readonly stateFor: (store: ModelStore, ask: ModelAsk, walk: ModelWalk | undefined) => State
  readonly compare: (ask: ModelAsk, a: ModelObject, b: ModelObject) => number
  /** The objects after the last page, not yet filtered. `compare` is the step above. */
  readonly restAfter: (
    sorted: readonly ModelObject[],
    ask: ModelAsk,
    walk: ModelWalk,
    compare: Steps['compare'],
  ) => readonly ModelObject[]
  /** How many objects the walk may still return; throws a refusal if there is no room. */
  readonly roomFor: (ask: ModelAsk, returned: number) => number
  readonly takePage: (rest: readonly ModelObject[], size: number, ask: ModelAsk) => TakenPage
  /** The value of nextPageToken; undefined omits the field. */
  readonly tokenField: (page: SentPage, seal: () => string) => unknown
  /** The value of snapshotToken on a page of a snapshot walk; undefined omits the field. */
  readonly shownToken: (page: { readonly isLast: boolean }, seal: () => string) => unknown
  /** The version whose objects are divided into partitions. */
  readonly splitVersion: (store: ModelStore, ask: ModelAsk) => number
  /** The last key of each partition; undefined for the partition that has no end. */
  readonly splitEnds: (
    state: State,
    partitionCount: number,
    ask: ModelAsk,
    store: ModelStore,
  ) => readonly (string | undefined)[]
  /** What the token of a partition holds. */
  readonly partitionWalk: (walk: ModelWalk, caller: string) => ModelWalk
  /** Those of the objects after the last page that belong to the partition. */
  readonly withinPartition: (rest: readonly ModelObject[], end: string | undefined) => readonly ModelObject[]
  /** Whether a page has the total, and the last one the checksum, of the whole collection. */
  readonly showsTotals: (walk: ModelWalk | undefined) => boolean
  /** The number of objects in the whole list; a plus sign marks a lower bound. */
  readonly totalOf: (state: State, ask: ModelAsk, walk: ModelWalk | undefined, store: ModelStore) => string
  /** The version that a page says it shows; `read` is that of the walk. */
  readonly versionShown: (
    page: { readonly ask: ModelAsk; readonly read: number },
    store: ModelStore,
  ) => number
  /** The checksum on the last page of a snapshot walk of all objects; undefined omits the field. */
  readonly checksumOf: (state: State, ask: ModelAsk, store: ModelStore) => string | undefined
  /** The last line of a stream that has this many others; undefined leaves it out. */
  readonly endLine: (end: Readonly<Record<string, unknown>>, lines: number) => object | undefined
  /** The token after a page of a stream. `after` is the token some objects further on, if there are more. */
  readonly streamToken: (pageToken: string, after: (objects: number) => unknown) => unknown
  /** The body of a page or a list, as it is sent. */
  readonly sendBody: (body: string, acceptEncoding: string) => SentBody
  readonly commit: (store: ModelStore, lines: readonly BatchLine[]) => Promise<void>
}

/** Kept for as long as a request compares objects with it. */
const orders = new WeakMap<ModelAsk['orderBy'], ReturnType<typeof expectedOrder>>()

const tokens: Readonly<Record<string, string>> = { 'model-token': 'ada', 'model-other-token': 'grace' }

export const correctSteps: Steps = {
  ...correctChangesSteps,
  ...correctLinksSteps,
  ...correctAggregateSteps,
  ...correctV2Steps,
  ...correctSubscriptionSteps,

  callerOf: (bearer) => (bearer === undefined ? undefined : tokens[bearer]),

  refuseBody: (text) => {
    if (text !== '')
      refuse('UnknownParameter', {
        unknownParameters: ['body'],
        expectedParameters: [],
        unexpectedBody: true,
      })
  },

  refusePreconditions: (headers) => {
    for (const parameterId of ['If-Match', 'If-None-Match', 'If-Unmodified-Since']) {
      const parameterValue = headers[parameterId.toLowerCase()]
      if (parameterValue !== undefined)
        refuse('InvalidParameterValue', { parameterId, parameterValue: String(parameterValue) })
    }
  },

  isOntology: (name) => name === ontologyRid || name === apiFamily,

  pageSizeOf: (asked, sizes) => {
    if (asked === undefined) return sizes.default
    if (typeof asked !== 'number' || !Number.isInteger(asked) || asked < 1) {
      return refuse('InvalidPageSize', { pageSize: JSON.stringify(asked).slice(0, 100) })
    }
    return Math.min(asked, sizes.maximum)
  },

  openToken: (token, box) => {
    const opened = typeof token === 'string' ? box.open(token) : undefined
    // A snapshot token is none.
    return opened !== undefined && 'identity' in opened
      ? (opened as ModelWalk)
      : refuse('InvalidPageToken', { reason: 'malformed' })
  },

  checkWalk: (walk, ask, caller) => {
    if (walk.caller !== undefined && walk.caller !== caller)
      refuse('InvalidPageToken', { reason: 'otherCaller' })
    const identity = Object.entries(identityOf(ask))
    const names: Readonly<Record<string, string>> =
      ask.endpoint === 'listObjects' ? { query: 'filters', select: 'properties' } : {}
    const changed = identity
      .filter(([part, text]) => walk.identity[part] !== text)
      .map(([part]) => names[part] ?? part)
    if (changed.length > 0) refuse('InvalidPageToken', { reason: 'requestChanged', changed })
    // A partition can be read for as long as its state is kept (P256).
    if (walk.partition === undefined && Date.now() - walk.issuedAt > limits.pageToken.lifeSeconds * 1_000) {
      refuse('InvalidPageToken', { reason: 'expired' })
    }
  },

  takeSnapshot: versionUpTo,

  versionsOf,

  openSnapshot: (token, { objectType, box }) => {
    const opened = typeof token === 'string' ? box.open(token) : undefined
    if (opened === undefined) return refuse('InvalidSnapshotToken', { reason: 'malformed' })
    if (!('versions' in opened)) return refuse('InvalidSnapshotToken', { reason: 'pageToken' })
    const version = (opened as ModelSnapshot).versions[objectType]
    return version === undefined
      ? refuse('InvalidSnapshotToken', { reason: 'otherObjectType', objectType })
      : { version, identity: `version ${version}` }
  },

  stateFor: (store, ask, walk) => {
    const version = ask.snapshot ? (walk?.version ?? ask.named?.version) : undefined
    // A version below zero stands for a snapshot that is no longer kept: tests create such a token.
    if (version !== undefined && version < 0) return refuse('ConsistentSnapshotError', {})
    return stateAt(store, version ?? latestVersion(store))
  },

  compare: ({ orderBy }, a, b) => {
    const order = orders.get(orderBy) ?? expectedOrder(thingType, orderBy)
    orders.set(orderBy, order)
    return order(a, b)
  },

  restAfter: (sorted, ask, { last }, compare) => {
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const object = sorted[middle]
      if (object !== undefined && compare(ask, object, last) <= 0) from = middle + 1
      else to = middle
    }
    return sorted.slice(from)
  },

  roomFor: ({ endpoint }, returned) => {
    if (endpoint === 'searchObjects') return Number.POSITIVE_INFINITY
    const limit = limits.walk.listObjects
    return returned < limit
      ? limit - returned
      : refuse('ObjectsExceededLimit', { limit: 'objects', maximum: limit })
  },

  takePage: (rest, size, { query }) => {
    const found: ModelObject[] = []
    for (const object of rest) {
      if (matches(query, object)) found.push(object)
      // One match more than the page holds shows that more exist (P3).
      if (found.length > size) break
    }
    const objects = found.slice(0, size)
    return { objects, hasMore: found.length > size, last: objects.at(-1) }
  },

  tokenField: ({ hasMore }, seal) => (hasMore ? seal() : undefined),

  shownToken: ({ isLast }, seal) => (isLast ? seal() : undefined),

  splitVersion: (store, { named }) => named?.version ?? latestVersion(store),

  splitEnds: (state, partitionCount, { query }) => {
    const matching = [...state.values()]
      .filter((object) => matches(query, object))
      .toSorted((a, b) => compareBy('id', 'asc', a, b))
    const count = Math.min(partitionCount, Math.max(1, matching.length))
    const ends = Array.from({ length: count - 1 }, (_, i) => {
      const last = matching[Math.ceil(((i + 1) * matching.length) / count) - 1]
      return last && idOf(last)
    })
    return [...ends, undefined]
  },

  partitionWalk: (walk) => walk,

  withinPartition: (rest, end) =>
    end === undefined ? rest : rest.filter((object) => compareBy('id', 'asc', object, { id: end }) <= 0),

  showsTotals: (walk) => walk?.partition === undefined,

  versionShown: ({ ask, read }, store) => (ask.snapshot ? read : latestVersion(store)),
  totalOf: (state, { query }, walk) => {
    if (query.type === 'empty') return String(state.size)
    if (walk !== undefined) return walk.total
    const count = [...state.values()].filter((object) => matches(query, object)).length
    const most = limits.walk.countedMatches
    return count > most ? `${most}+` : String(count)
  },

  checksumOf: (state) => checksumOf([...state.values()].map((object) => hashedObject(object))),
  endLine: (end) => end,

  streamToken: (pageToken) => pageToken,

  sendBody: compressed,

  commit: async (store, lines) => {
    addCommit(store, applied(stateAt(store, latestVersion(store)), lines))
  },
}

/** What a search shows of the object. */
const hashedObject = (object: ModelObject): HashedObject => ({
  primaryKey: idOf(object),
  properties: object,
})
