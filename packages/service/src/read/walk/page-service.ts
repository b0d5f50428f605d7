import type { Admission } from '../../guard/admit/admission.ts'
import type { StreamTurns } from '../../guard/admit/stream-turns.ts'
import type { Access } from '../../guard/auth/access.ts'
import type { Observe } from '../../observe/observation.ts'
import type { ReadStore } from './read-store.ts'
import type { TokenSealer } from '../token/token-sealer.ts'
import type { ClockWatch } from '../wait/clock-watch.ts'

/** What every read request of the HTTP interface needs. */
export interface PageService {
  readonly access: Pick<Access, 'roles' | 'recheck'>
  readonly store: ReadStore
  readonly sealer: TokenSealer
  readonly admission: Admission
  readonly streams: StreamTurns
  readonly watch: ClockWatch
  readonly requestTimeoutMs: number
  /** How long a state is kept after it has stopped being the latest one. */
  readonly retentionSeconds: number
  /** How many objects an aggregate may read. */
  readonly aggregateObjects: number
  readonly now: () => Date
  readonly newWalkId: () => string
  readonly observe: Observe
}
