import type { Admission } from '../../guard/admit/admission.ts'
import type { StreamTurns } from '../../guard/admit/stream-turns.ts'
import type { Access } from '../../guard/auth/access.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import type { RowSources } from '../rows/state/row-sources.ts'
import type { TokenSealer } from '../token/token-sealer.ts'
import type { ClockWatch } from '../wait/clock-watch.ts'
import type { SourceWatch } from '../wait/source-watch.ts'

/** What every read request of the HTTP interface needs. */
export interface PageService {
  readonly access: Pick<Access, 'roles' | 'recheck'>
  readonly store: RowSources & { readonly catalog: Catalog }
  readonly sealer: TokenSealer
  readonly admission: Admission
  readonly streams: StreamTurns
  readonly watch: ClockWatch
  readonly sources: SourceWatch
  readonly requestTimeoutMs: number
  /** How long a state is kept after it has stopped being the latest one. */
  readonly retentionSeconds: number
  /** How many objects an aggregate may read. */
  readonly aggregateObjects: number
  readonly now: () => Date
  readonly newWalkId: () => string
  readonly observe: Observe
}

/** The share of a request's time in which its page must be read: it must also be written and sent, and a statement may take long. */
const shareForReading = 5 / 6

/** By when a page that is requested now must have been read, in milliseconds of the clock of its store. */
export const answerBy = ({
  store,
  requestTimeoutMs,
}: Pick<PageService, 'store' | 'requestTimeoutMs'>): number =>
  store.elapsed() + requestTimeoutMs * shareForReading
