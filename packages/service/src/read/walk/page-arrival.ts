import type { PageTarget } from '../../catalog/find-object-type.ts'
import type { Reservation } from '../../guard/admit/admission.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { StageTimer } from '../../observe/stage-timer.ts'
import type { PageEnvelope } from '../page/write-page.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import type { FollowedRequest } from './follow-request.ts'
import type { PageStageName } from './page-stages.ts'

/** The parts of an incoming request that a page needs. */
export interface PageArrival {
  readonly requestId: string
  readonly caller: Caller
  readonly target: PageTarget
  readonly parse: () => PageRequest
  readonly signal: AbortSignal
  readonly timer: StageTimer<PageStageName>
  /** Takes over the page's reservation. It is released once the answer is sent or the client has disconnected. */
  readonly hold: (reservation: Reservation) => void
  /** Looks at what was read, in the states that it was read in, and may end the page earlier. */
  readonly afterRead?: (rows: PageRows, followed: FollowedRequest | undefined) => Promise<PageRows>
  /** Writes the body: the JSON of a page unless it is given. */
  readonly write?: (rows: PageRows, envelope: PageEnvelope) => Buffer
}
