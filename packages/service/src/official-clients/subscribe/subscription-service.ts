import type { PageService } from '../../read/walk/page-service.ts'
import type { SocketPlaces } from './socket-places.ts'

/** What subscriptions need besides what pages need. */
export interface SubscriptionService extends PageService {
  readonly sockets: SocketPlaces
}
