import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ManageService } from '../../manage/manage-service.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { getObjectOperations } from './get-object-routes.ts'
import { operationRoutes, type Operation } from '../operation.ts'
import type { Wing } from '../wing.ts'
import { listObjectsOperations } from './list-objects-route.ts'
import { objectTypeOperations } from './object-type-routes.ts'
import { accessTokenOperations } from './manage/access-token-routes.ts'
import { batchOperations } from './manage/batch-routes.ts'
import { grantOperations } from './manage/grant-routes.ts'
import { auditOperations } from './manage/audit-route.ts'
import { statisticsOperations } from './manage/statistics-route.ts'
import { loadOperations } from './manage/load-routes.ts'
import { managedObjectTypeOperations } from './manage/managed-object-type-routes.ts'
import { managedOntologyOperations } from './manage/managed-ontology-routes.ts'
import { ontologyOperations } from './ontology-routes.ts'
import { aggregateOperations } from './aggregate-routes.ts'
import { countOperations } from './count-route.ts'
import { changesOperations } from './changes-route.ts'
import { exportOperations } from './export-route.ts'
import { partitionsOperations } from './partitions-route.ts'
import { commitsOperations } from './commits-route.ts'
import { snapshotOperations } from './snapshot-route.ts'
import { versionsOperations } from './versions-route.ts'
import { linksOperations } from './links-routes.ts'
import { searchObjectsOperations } from './search-objects-route.ts'

export interface RouteNeeds {
  readonly pages: PageService
  readonly manage: ManageService
  readonly checkReadiness: CheckReadiness
  readonly wings: readonly Wing[]
}

export const readOperations = (pages: PageService): readonly Operation[] => [
  ...listObjectsOperations(pages),
  ...getObjectOperations(pages),
  ...versionsOperations(pages),
  ...searchObjectsOperations(pages),
  ...linksOperations(pages),
  ...countOperations(pages),
  ...aggregateOperations(pages),
  ...partitionsOperations(pages),
  ...changesOperations(pages),
  ...exportOperations(pages),
  ...snapshotOperations(pages),
  ...ontologyOperations(pages),
  ...objectTypeOperations(pages),
  ...commitsOperations(pages),
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
