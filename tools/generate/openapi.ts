import { describeService } from '@octavo/service'

/** docs/reference/openapi.json: the answer of the service at /openapi.json, for review and for client generators. */
export const openapi = (): Promise<string> => describeService()
