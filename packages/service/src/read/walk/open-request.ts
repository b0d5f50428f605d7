import type { PageRequest } from '../request/page-request.ts'
import { partName } from '../request/request-identity.ts'
import { openWalk, type OpenedWalk, type WalkService } from '../token/open-walk.ts'

/** The walk of a request for objects. */
export const openRequest = (
  service: WalkService,
  { endpoint, pageToken }: PageRequest,
  binding: Buffer,
): OpenedWalk => openWalk(service, { pageToken, binding, nameOf: (part) => partName(endpoint, part) })
