import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ManageService } from '../../manage/manage-service.ts'
import type { PageService } from '../../read/serve-page.ts'
import { getObjectRoute } from './get-object-route.ts'
import { inTurn } from '../in-turn.ts'
import { listObjectsRoute } from './list-objects-route.ts'
import { objectTypeRoutes } from './object-type-routes.ts'
import { accessTokenRoutes } from './manage/access-token-routes.ts'
import { batchRoutes } from './manage/batch-routes.ts'
import { grantRoutes } from './manage/grant-routes.ts'
import { loadPartRoutes, loadRoutes } from './manage/load-routes.ts'
import { managedObjectTypeRoutes } from './manage/managed-object-type-routes.ts'
import { managedOntologyRoutes } from './manage/managed-ontology-routes.ts'
import { ontologyRoutes } from './ontology-routes.ts'
import { countRoutes } from './count-routes.ts'
import { partsRoute } from './parts-route.ts'
import { snapshotRoutes } from './snapshot-routes.ts'
import { searchObjectsRoute } from './search-objects-route.ts'

export interface RouteNeeds {
  readonly pages: PageService
  readonly manage: ManageService
  readonly checkReadiness: CheckReadiness
}

/** Every endpoint, in the order in which the reference lists them. */
export const serviceRoutes = ({
  pages,
  manage,
  checkReadiness,
}: RouteNeeds): readonly FastifyPluginAsyncTypebox[] => [
  listObjectsRoute(pages),
  getObjectRoute(pages),
  searchObjectsRoute(pages),
  countRoutes(pages),
  partsRoute(pages),
  snapshotRoutes(pages),
  inTurn(pages.admission, ontologyRoutes(pages)),
  inTurn(pages.admission, objectTypeRoutes(pages)),
  inTurn(pages.admission, managedOntologyRoutes(manage)),
  inTurn(pages.admission, managedObjectTypeRoutes(manage)),
  batchRoutes(manage),
  inTurn(pages.admission, loadRoutes(manage)),
  loadPartRoutes(manage),
  inTurn(pages.admission, accessTokenRoutes(manage)),
  inTurn(pages.admission, grantRoutes(manage)),
  healthRoutes(checkReadiness),
]
