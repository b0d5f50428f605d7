// Runs in vitest's main process; test files use vitest.ts.
import type { TestProject } from 'vitest/node'
import { templateDatabase, type Prepare } from './template-database.ts'
import { testServer, type TestServerOptions } from './test-server.ts'
import type { ProvidedDatabase } from './vitest-context.ts'

export type VitestDatabase = TestServerOptions & {
  readonly prepare: Prepare
  /**
   * `import.meta.url` of a module that exports this same function as `prepare`: a function cannot be passed to the processes
   * of the test files, and on a shared database they have to prepare again.
   */
  readonly module: string
}

/** Creates the `setup` function of a globalSetup file: one server and one template for the whole run. */
export function vitestGlobalSetup({ prepare, module, ...options }: VitestDatabase) {
  return async (project: TestProject): Promise<() => Promise<void>> => {
    const server = await testServer(options)
    try {
      const template = await templateDatabase(server, prepare)
      const provided: ProvidedDatabase = { facts: template.facts, prepareModule: module }
      project.provide('octavoDatabase', provided)
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
