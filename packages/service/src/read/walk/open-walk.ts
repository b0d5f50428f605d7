import type { PageRequest } from '../request/page-request.ts'
import { partName } from '../request/request-identity.ts'
import { openPageToken } from '../token/open-page-token.ts'
import type { Walk } from '../token/walk.ts'
import type { PageService } from './page-service.ts'

/** The walk that the request continues; undefined if it begins one. */
export const openWalk = (service: PageService, request: PageRequest, binding: Buffer): Walk | undefined =>
  request.pageToken === undefined
    ? undefined
    : openPageToken(service.sealer, request.pageToken, {
        binding,
        now: service.now(),
        nameOf: (part) => partName(request.endpoint, part),
      })
