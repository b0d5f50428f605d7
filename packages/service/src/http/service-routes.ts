import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { PageService } from '../serve-page.ts'
import { getObjectRoute } from './get-object-route.ts'
import { listObjectsRoute } from './list-objects-route.ts'
import { objectTypeRoutes } from './object-type-routes.ts'
import { ontologyRoutes } from './ontology-routes.ts'
import { searchObjectsRoute } from './search-objects-route.ts'

export interface RouteNeeds {
  readonly pages: PageService
  readonly checkReadiness: CheckReadiness
}

/** Every endpoint, in the order in which the reference shows them. */
export const serviceRoutes = ({
  pages,
  checkReadiness,
}: RouteNeeds): readonly FastifyPluginAsyncTypebox[] => [
  listObjectsRoute(pages),
  getObjectRoute(pages),
  searchObjectsRoute(pages),
  ontologyRoutes(pages),
  objectTypeRoutes(pages),
  healthRoutes(checkReadiness),
]
