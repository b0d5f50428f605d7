// Splits a collection into partitions: page tokens that each end where the next partition begins.
import { partitionsRequestSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { identityOf, type ModelAsk } from './model-ask.ts'
import { refuseLinks } from './links-steps.ts'
import { refuse } from './model-refusal.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { showsAll, withNamedState, type PageParts } from './serve-page.ts'

interface PartitionsAsk {
  readonly partitionCount: number
  /** The search with which each partition is read. */
  readonly ask: ModelAsk
}

const shape = Compile(partitionsRequestSchema)

export function readPartitionsAsk(objectType: string, text: string): PartitionsAsk {
  if (text === '') refuse('MissingPostBody', { expectedMediaType: 'application/json' })
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(partitionsRequestSchema.properties))
  const { partitionCount: _left, ...search } = body
  const query = search['query'] ?? { type: 'empty' }
  const ask = readSearchAsk(objectType, JSON.stringify({ ...search, query }))
  // A step opens the snapshot token, whatever it is.
  const sized: unknown = { ...body, snapshotToken: undefined }
  return shape.Check(sized)
    ? { partitionCount: sized.partitionCount, ask: { ...ask, snapshot: true } }
    : refuse('Conjure:UnprocessableEntity', { path: '/partitionCount', problem: 'it must be from 1 to 64' })
}

export function servePartitions(
  served: PageParts,
  { partitionCount, ask: asks }: PartitionsAsk,
  caller: string,
): object {
  const { steps, store, box } = served
  refuseLinks(asks.query, 'partitions')
  const version = steps.splitVersion(store, withNamedState(served, asks, caller))
  const snapshotToken = box.seal({ versions: { [asks.objectType]: version } })
  // Each partition is read with this token, so it is bound to the state that this token names.
  const ask = withNamedState(served, { ...asks, snapshotToken }, caller)
  const state = steps.stateFor(store, ask, undefined)
  const isWhole = ask.query.type === 'empty'
  const ends = steps.splitEnds(state, partitionCount, ask, store)
  const total = steps.totalOf(state, ask, undefined, store)
  const now = { issuedAt: Date.now(), startedAt: performance.now() }
  return {
    data: ends.map((end, i) => {
      // No key comes before the empty text.
      const last = { id: ends[i - 1] ?? '' }
      const identity = identityOf(ask)
      const walk = {
        ...now,
        caller: undefined,
        identity,
        version,
        last,
        returned: 0,
        total,
        partition: { end },
      }
      return {
        pageToken: box.seal(steps.partitionWalk(walk, caller)),
        ...(isWhole && { estimatedObjectCount: Math.round(state.size / ends.length) }),
      }
    }),
    snapshotToken,
    version: String(version),
    ...(isWhole && { totalCount: total }),
    ...(showsAll(ask) && { checksum: steps.checksumOf(state, ask, store) }),
  }
}
