// What a walk asks for, apart from where it is: plain data, so that it can be saved.
import type { ReadRequest } from '../transport/transport.ts'

/** Names of repeated parameters stand several times. */
type Parameters = readonly (readonly [name: string, value: string])[]

export type WalkRequest = {
  readonly path: string
  readonly snapshot: boolean
  /** The last page of revision 1.0 may say null instead of nothing. */
  readonly nullEnds: boolean
} & (
  | { readonly kind: 'list'; readonly parameters: Parameters }
  | { readonly kind: 'search'; readonly body: Readonly<Record<string, unknown>> }
)

export function pageRequest(walk: WalkRequest, pageToken: string | undefined): ReadRequest {
  if (walk.kind === 'search') {
    return { path: walk.path, body: { ...walk.body, pageToken } }
  }
  const parameters = new URLSearchParams(
    walk.parameters.map(([name, value]): [string, string] => [name, value]),
  )
  if (pageToken !== undefined) parameters.append('pageToken', pageToken)
  const query = parameters.toString()
  return { path: query === '' ? walk.path : `${walk.path}?${query}` }
}
