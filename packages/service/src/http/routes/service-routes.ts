import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ManageService } from '../../manage/manage-service.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { getObjectRoutes } from './get-object-routes.ts'
import { inTurn } from '../in-turn.ts'
import type { Wing } from '../wing.ts'
import { listObjectsRoute } from './list-objects-route.ts'
import { objectTypeRoutes } from './object-type-routes.ts'
import { accessTokenRoutes } from './manage/access-token-routes.ts'
import { batchRoutes } from './manage/batch-routes.ts'
import { grantRoutes } from './manage/grant-routes.ts'
import { auditRoute } from './manage/audit-route.ts'
import { statisticsRoute } from './manage/statistics-route.ts'
import { loadPartRoutes, loadRoutes } from './manage/load-routes.ts'
import { managedObjectTypeRoutes } from './manage/managed-object-type-routes.ts'
import { managedOntologyRoutes } from './manage/managed-ontology-routes.ts'
import { ontologyRoutes } from './ontology-routes.ts'
import { aggregateRoutes } from './aggregate-routes.ts'
import { countRoute } from './count-route.ts'
import { changesRoute } from './changes-route.ts'
import { exportRoute } from './export-route.ts'
import { partitionsRoute } from './partitions-route.ts'
import { commitsRoute } from './commits-route.ts'
import { snapshotRoute } from './snapshot-route.ts'
import { versionsRoute } from './versions-route.ts'
import { linksRoutes } from './links-routes.ts'
import { searchObjectsRoute } from './search-objects-route.ts'

export interface RouteNeeds {
  readonly pages: PageService
  readonly manage: ManageService
  readonly checkReadiness: CheckReadiness
  readonly wings: readonly Wing[]
}

/** Every endpoint, in the order in which the reference lists them. */
export const serviceRoutes = ({
  pages,
  manage,
  checkReadiness,
  wings,
}: RouteNeeds): readonly FastifyPluginAsyncTypebox[] => [
  listObjectsRoute(pages),
  getObjectRoutes(pages),
  versionsRoute(pages),
  searchObjectsRoute(pages),
  linksRoutes(pages),
  countRoute(pages),
  aggregateRoutes(pages),
  partitionsRoute(pages),
  changesRoute(pages),
  exportRoute(pages),
  snapshotRoute(pages),
  inTurn(pages.admission, ontologyRoutes(pages)),
  inTurn(pages.admission, objectTypeRoutes(pages)),
  inTurn(pages.admission, commitsRoute(pages)),
  inTurn(pages.admission, managedOntologyRoutes(manage)),
  inTurn(pages.admission, managedObjectTypeRoutes(manage)),
  inTurn(pages.admission, statisticsRoute(manage)),
  batchRoutes(manage),
  inTurn(pages.admission, loadRoutes(manage)),
  loadPartRoutes(manage),
  inTurn(pages.admission, accessTokenRoutes(manage)),
  inTurn(pages.admission, grantRoutes(manage)),
  inTurn(pages.admission, auditRoute(manage)),
  ...wings.flatMap(({ routes }) => routes),
  healthRoutes(checkReadiness),
]
