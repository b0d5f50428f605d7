import type { Store } from '../open-store.ts'
import type { Database } from '../postgres/database.ts'
import type { BatchService } from '../serve-batch.ts'
import type { ListPageService } from '../serve-list-page.ts'

/** What the endpoints of /manage/v1 need. */
export interface ManageService extends BatchService, ListPageService {
  readonly store: BatchService['store'] & Pick<Store, 'checkStoredObjects'>
  readonly database: Database
  readonly randomUuid: () => string
}
