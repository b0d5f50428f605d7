// The walk and the state of a request for objects.
import { invariant } from '../../base/errors/invariant.ts'
import { partName, requestIdentity, type RequestIdentity } from '../request/request-identity.ts'
import { readVersions } from '../rows/state/read-versions.ts'
import { openWalk, type OpenedWalk } from '../token/open-walk.ts'
import { openNamed } from '../token/snapshot-token.ts'
import { tokenBinding } from '../token/token-binding.ts'
import type { Captured } from '../token/walk.ts'
import type { RequestContext } from './type-context.ts'

interface NamedStates {
  readonly named?: Captured | undefined
  /** The later state that a request for changes names. */
  readonly to?: Captured | undefined
}

/** All that the request asks, and the states that it names. */
export const identityOfRequest = (
  { request, ontology, type }: Pick<RequestContext, 'request' | 'ontology' | 'type'>,
  states: NamedStates,
): RequestIdentity =>
  requestIdentity(request, { ontologyRid: ontology.rid, objectType: type.apiName, ...states })

/** What the page tokens of the request are bound to: that, and its caller. */
export const bindingOf = (context: RequestContext, states: NamedStates): Buffer =>
  tokenBinding(context.caller, identityOfRequest(context, states))

export const openRequest = (
  { service, request: { endpoint, pageToken } }: RequestContext,
  binding: Buffer,
): OpenedWalk => openWalk(service, { pageToken, binding, nameOf: (part) => partName(endpoint, part) })

/** The state that the request names, or the latest: one state for all statements of the request. */
export async function namedOrLatest(context: RequestContext): Promise<Captured> {
  const named = openNamed(context)
  if (named !== undefined) return named
  const { service, type, request } = context
  const { versions } = await readVersions(service.store, [type], request.after)
  const latest = versions.get(type.id)
  invariant(latest !== undefined, 'version-of-another-type')
  return { kind: 'snapshot', ...latest }
}
