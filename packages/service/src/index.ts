export { buildService, migrateDatabase, type Service } from './build-service.ts'
export { environmentVariableOf, flagOf, serveOptions } from './config/options.ts'
export type { Option, ServeOptions } from './config/options.ts'
export type { Observation, Observe } from './observe/observation.ts'
