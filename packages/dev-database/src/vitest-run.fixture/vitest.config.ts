import { defineConfig } from 'vitest/config'

// vitest passes these to Node as --conditions, which apply to require() too: "import" among them would break pg.
const resolve = { conditions: ['@octavo/source', 'node'] }

export default defineConfig({
  root: import.meta.dirname,
  resolve,
  // For test files, and for the globalSetup file, which vitest loads in its own environment.
  environments: { ssr: { resolve }, __vitest__: { resolve } },
  test: {
    include: ['*.inner.ts'],
    globalSetup: ['./database.ts'],
  },
})
