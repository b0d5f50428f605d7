// Runs in vitest's main process; test files use vitest.ts.
import type { TestProject } from 'vitest/node'
import { templateDatabase, type Prepare } from './template-database.ts'
import { testServer, type TestServerOptions } from './test-server.ts'
import { provided } from './vitest-context.ts'

export type VitestDatabase = TestServerOptions & { readonly prepare: Prepare }

/** Creates the `setup` function of a globalSetup file: one server and one template for the whole run. */
export function vitestGlobalSetup({ prepare, ...options }: VitestDatabase) {
  return async (project: TestProject): Promise<() => Promise<void>> => {
    const server = await testServer(options)
    try {
      const template = await templateDatabase(server, prepare)
      project.provide(provided, template.facts)
      return async () => {
        try {
          await template.drop()
        } finally {
          await server.stop()
        }
      }
    } catch (error) {
      await server.stop()
      throw error
    }
  }
}
