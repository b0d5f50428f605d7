import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ManageService } from '../../manage/manage-service.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operationRoutes, type Operation } from '../operation.ts'
import type { Wing } from '../wing.ts'
import { batchOperations } from './manage/batch-routes.ts'
import { accessOperations } from './manage/access-routes.ts'
import { auditOperations } from './manage/audit-route.ts'
import { definitionOperations } from './manage/definition-routes.ts'
import { loadOperations } from './manage/load-routes.ts'
import { sourceOperations } from './manage/source-routes.ts'
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
  ...definitionOperations(manage),
  ...batchOperations(manage),
  ...loadOperations(manage),
  ...sourceOperations(manage),
  ...accessOperations(manage),
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
