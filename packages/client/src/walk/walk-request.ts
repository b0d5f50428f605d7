// What a walk requests, without its position. Plain data, so it can be saved.
import type { ReadRequest } from '../transport/transport.ts'

/** A repeated parameter appears several times. */
type Parameters = readonly (readonly [name: string, value: string])[]

export type WalkRequest = {
  readonly path: string
  readonly snapshot: boolean
  /** Whether null, like an absent token, marks the last page, as revision 1.0 allows. */
  readonly nullEnds: boolean
  /** The service may answer that much later. */
  readonly waitSeconds?: number
} & (
  | { readonly kind: 'list'; readonly parameters: Parameters }
  | {
      readonly kind: 'search'
      readonly body: Readonly<Record<string, unknown>>
      /** The pages come in one answer (P260), not in one each. */
      readonly stream?: true
      /** The pages are of the difference between two states (P270), not of objects. */
      readonly changes?: true
    }
)

/** The same, in another state if it names one. */
export function withSnapshotToken(walk: WalkRequest, snapshotToken: string): WalkRequest {
  const isNamed = walk.kind === 'search' && walk.body['snapshotToken'] !== undefined
  return isNamed ? { ...walk, body: { ...walk.body, snapshotToken } } : walk
}

export function pageRequest(walk: WalkRequest, pageToken: string | undefined): ReadRequest {
  const { waitSeconds = 0 } = walk
  if (walk.kind === 'search') {
    return { path: walk.path, body: { ...walk.body, pageToken }, waitSeconds }
  }
  const parameters = new URLSearchParams(
    walk.parameters.map(([name, value]): [string, string] => [name, value]),
  )
  if (pageToken !== undefined) parameters.append('pageToken', pageToken)
  const query = parameters.toString()
  return { path: query === '' ? walk.path : `${walk.path}?${query}`, waitSeconds }
}
