import type { StageTimer } from '../../observe/stage-timer.ts'
import type { PageEnvelope } from '../page/write-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import type { FollowedRequest } from './follow-request.ts'
import type { PageStageName } from './page-stages.ts'
import type { TypeArrival } from './type-context.ts'

export interface PageArrival extends TypeArrival {
  readonly parse: () => PageRequest
  readonly timer: StageTimer<PageStageName>
  /** Looks at what was read, in the states that it was read in, and may end the page earlier. */
  readonly afterRead?: (rows: PageRows, followed: FollowedRequest | undefined) => Promise<PageRows>
  /** Writes the body: otherwise the JSON of a page. */
  readonly write?: (rows: PageRows, envelope: PageEnvelope) => Buffer
}
