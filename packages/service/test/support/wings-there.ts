import { describeService } from '../../src/describe-service.ts'

const described = await describeService()

/** The tests also run in a copy without the wings, which has to keep every other promise (tools/check-wings.ts). */
export const hasOfficialClients = described.includes('"/api/v2/')
