import type { Database } from '../postgres/database.ts'
import type { BatchService } from '../write/serve-batch.ts'
import type { WalkService } from '../read/token/open-walk.ts'

/** What the endpoints of /manage/v1 need. */
export interface ManageService extends BatchService, WalkService {
  readonly database: Database
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number
  readonly randomUuid: () => string
  /** How long a state is kept after it has stopped being the latest one. */
  readonly retentionSeconds: number
}
