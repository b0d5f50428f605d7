import { describeService } from '@octavo/service'

/** docs/reference/openapi.json: what the service answers at /openapi.json, for review and for generators of clients. */
export const openapi = (): Promise<string> => describeService()
