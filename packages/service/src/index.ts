export { canonicalScalar } from './base/value/canonical-scalar.ts'
export { buildService, migrateDatabase, type Service } from './build-service.ts'
export { describeService } from './describe-service.ts'
export { carriesPassword } from './config/carries-password.ts'
export { environmentVariableOf, flagOf, serveOptions } from './config/options.ts'
export type { Option, ServeOptions } from './config/options.ts'
export { definitionProblems } from './write/define/check-definition.ts'
export type { DefinitionProblem } from './write/define/definition-problem.ts'
export { readOptions, type Environment, type ReadOptions } from './config/read-options.ts'
export { openAccessManagement, type AccessManagement } from './manage/open-access-management.ts'
export {
  openClusterManagement,
  type ClusterManagement,
  type ClusterNode,
  type PlacedOntology,
} from './manage/open-cluster-management.ts'
export { openCopySession, type CopySession } from './manage/open-copy-session.ts'
export { openSourceTable, type SourceColumn, type SourceTable } from './manage/open-source-table.ts'
export { SourceFailure } from './base/errors/source-failure.ts'
export { mostOntologiesMeasured } from './upkeep/measure/measure-store.ts'
export { mostTypesMeasured } from './upkeep/measure/measure-types.ts'
export { inspectDatabase, type DatabaseFacts } from './manage/inspect-database.ts'
export { createMetrics } from './observe/metrics.ts'
export { logObservations, openLog } from './observe/log-observations.ts'
export type { Observation, Observe } from './observe/observation.ts'
export { runMigrate, runService } from './run-service.ts'
