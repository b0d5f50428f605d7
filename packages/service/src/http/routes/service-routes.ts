import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ManageService } from '../../manage/manage-service.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operationRoutes, type Operation } from '../operation.ts'
import type { Wing } from '../wing.ts'
import { accessTokenOperations } from './manage/access-token-routes.ts'
import { batchOperations } from './manage/batch-routes.ts'
import { grantOperations } from './manage/grant-routes.ts'
import { auditOperations } from './manage/audit-route.ts'
import { statisticsOperations } from './manage/statistics-route.ts'
import { loadOperations } from './manage/load-routes.ts'
import { managedObjectTypeOperations } from './manage/managed-object-type-routes.ts'
import { managedOntologyOperations } from './manage/managed-ontology-routes.ts'
import { ontologyOperations } from './ontology-routes.ts'
import { countOperations } from './count-routes.ts'
import { linksOperations } from './links-routes.ts'
import { objectOperations } from './object-routes.ts'
import { stateOperations } from './state-routes.ts'

export interface RouteNeeds {
  readonly pages: PageService
  readonly manage: ManageService
  readonly checkReadiness: CheckReadiness
  readonly wings: readonly Wing[]
}

export const readOperations = (pages: PageService): readonly Operation[] => [
  ...objectOperations(pages),
  ...linksOperations(pages),
  ...countOperations(pages),
  ...stateOperations(pages),
  ...ontologyOperations(pages),
]

const manageOperations = (manage: ManageService): readonly Operation[] => [
  ...managedOntologyOperations(manage),
  ...managedObjectTypeOperations(manage),
  ...statisticsOperations(manage),
  ...batchOperations(manage),
  ...loadOperations(manage),
  ...accessTokenOperations(manage),
  ...grantOperations(manage),
  ...auditOperations(manage),
]

/** Every endpoint, in the order in which the reference lists them. */
export const serviceRoutes = ({
  pages,
  manage,
  checkReadiness,
  wings,
}: RouteNeeds): readonly FastifyPluginAsyncTypebox[] => [
  ...operationRoutes(pages, [...readOperations(pages), ...manageOperations(manage)]),
  ...wings.flatMap(({ routes }) => routes),
  healthRoutes(checkReadiness),
]
