// Serves what is different between two states. A page token says how many of the changes have been sent.
import { changesRequestSchema, pageSizes } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { ModelChange } from './changes-steps.ts'
import { identityOf, type ModelAsk } from './model-ask.ts'
import { refuseLinks } from './links-steps.ts'
import { refuse } from './model-refusal.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { recordOf, withNamedState, type PageParts } from './serve-page.ts'

interface ChangesRequest {
  readonly ask: ModelAsk
  readonly to: unknown
  readonly waitSeconds: number
}

const shape = Compile(changesRequestSchema)

export function readChangesAsk(objectType: string, text: string): ChangesRequest {
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(changesRequestSchema.properties))
  const { fromSnapshotToken: since, toSnapshotToken: to, waitSeconds: _left, ...search } = body
  if (since === undefined)
    refuse('Conjure:UnprocessableEntity', { path: '/fromSnapshotToken', problem: 'it is missing' })
  const query = search['query'] ?? { type: 'empty' }
  const ask = readSearchAsk(objectType, JSON.stringify({ ...search, query, snapshotToken: since }))
  // Steps open the tokens, whatever they are.
  const sized: unknown = {
    ...body,
    fromSnapshotToken: 'any',
    toSnapshotToken: undefined,
    pageToken: undefined,
    pageSize: undefined,
  }
  if (!shape.Check(sized))
    return refuse('Conjure:UnprocessableEntity', { path: '/waitSeconds', problem: 'it must be 0 to 30' })
  return { ask, to, waitSeconds: sized.waitSeconds ?? 0 }
}

export async function serveChanges(
  parts: PageParts,
  { ask: asks, to, waitSeconds }: ChangesRequest,
  caller: string,
): Promise<object> {
  const { steps, store, box } = parts
  refuseLinks(asks.query, 'changes')
  const { objectType } = asks
  const ask = withNamedState(parts, asks, caller)
  const from = ask.named?.version ?? 0
  // A version below zero stands for a state that is long gone: tests create such a token.
  if (from < 0) steps.refuseExpired(objectType)
  const named = to === undefined ? undefined : steps.openSnapshot(to, { objectType, caller, box }).version
  if (named !== undefined && named < from)
    refuse('Conjure:UnprocessableEntity', { path: '/toSnapshotToken', problem: 'it must not be earlier' })
  const walk = ask.pageToken === undefined ? undefined : steps.openToken(ask.pageToken, box)
  if (walk !== undefined) steps.checkWalk(walk, ask, caller)
  if (walk === undefined && named === undefined) await steps.waitForChange(store, from, waitSeconds)
  const end = steps.changesEnd(store, { begun: walk?.version, named })
  const changes = steps.changesBetween(store, { ask, from, to: end })
  const sent = walk?.returned ?? 0
  const size = steps.pageSizeOf(ask.pageSize, pageSizes.search)
  const returned = sent + size
  const isLast = returned >= changes.length
  const state = steps.totalsState(store, end)
  const isWhole = ask.query.type === 'empty'
  const now = { issuedAt: Date.now(), startedAt: performance.now() }
  const identity = identityOf(ask)
  const seal = {
    next: () => box.seal({ ...now, caller, identity, version: end, last: {}, returned, total: '' }),
    state: () => box.seal({ versions: { [objectType]: steps.reachedVersion(store, end) } }),
  }
  const answer = {
    data: changes.slice(sent, returned).map((change) => sentChange(ask, change)),
    fromVersion: String(from),
    toVersion: String(end),
    ...steps.changesTokens(isLast, seal),
    ...(isLast && isWhole && { totalCount: String(state.size) }),
    ...(isLast && isWhole && ask.select === undefined && { checksum: steps.checksumOf(state, ask, store) }),
  }
  return steps.changesAnswer(answer, waitSeconds > 0 && from === end)
}

const sentChange = (ask: ModelAsk, change: ModelChange): object =>
  change.type === 'delete'
    ? { type: 'delete', primaryKey: change.id, reason: change.reason }
    : { type: 'put', primaryKey: change.id, object: recordOf(ask, change.object) }
