import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Only what Node itself would be given: more conditions would change how installed packages resolve.
const resolve = { conditions: ['@octavo/source', 'node'] }

export default defineConfig({
  resolve,
  environments: { ssr: { resolve }, __vitest__: { resolve } },
  test: {
    include: ['packages/*/{src,test,app}/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['tools/test-database.ts'],
    // Processes started by tests (tools, the service) run from source as well.
    execArgv: ['--conditions=@octavo/source'],
    // Vitest leaves one core free, which on two would be half: much of a test is waiting for the database.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For what never ends: how long a machine takes for the rest says nothing about the code. Where a promise names a
    // time, its test does.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
