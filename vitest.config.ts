import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(
    `The tests need Node 24, and this is Node ${process.versions.node}: \`. .ci/env\` puts the one of this clone first on the PATH.`,
  )
}

// Only what Node itself would be given: more conditions would change how installed packages resolve.
const resolve = { conditions: ['@octavo/source', 'node'] }

/** One more than cores: much of a test is waiting, for the database or for a clock. */
const workers = availableParallelism() + 1

const places = ['packages/*/{src,test,app}/**', 'tools/**', 'proofs/**']
const files = (ending: string): string[] => places.map((place) => `${place}/*${ending}`)

// What a file is named for is what it needs (CONTRIBUTING.md, Tests). Files of a project share the processes that run them: loading the
// modules again for each file took a sixth of the processor time of all tests.
export default defineConfig({
  resolve,
  environments: { ssr: { resolve }, __vitest__: { resolve } },
  test: {
    // Processes started by tests (tools, the service) run from source as well.
    execArgv: ['--conditions=@octavo/source'],
    isolate: false,
    maxWorkers: workers,
    // For what never ends: how long a machine takes for the rest says nothing about the code. Where a promise names a
    // time, its test does.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: files('.test.ts'),
          exclude: files('.{pg,alone,generated,long}*.test.ts'),
        },
      },
      {
        extends: true,
        test: {
          name: 'pg',
          include: files('.pg.test.ts'),
          exclude: files('.{alone,long}.pg.test.ts'),
          globalSetup: ['tools/test-database.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: files('.alone.pg.test.ts'),
          globalSetup: ['tools/test-database.ts'],
          isolate: true,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: files('.long{,.pg}.test.ts'),
          globalSetup: ['tools/test-database.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
