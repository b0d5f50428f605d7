import { defineConfig } from 'vitest/config'

// vitest hands these to Node as --conditions, which hold for require() too: "import" among them would break pg.
const resolve = { conditions: ['@octavo/source', 'node'] }

export default defineConfig({
  root: import.meta.dirname,
  resolve,
  // Test files, and the globalSetup file, which vitest loads in an environment of its own.
  environments: { ssr: { resolve }, __vitest__: { resolve } },
  test: {
    include: ['*.inner.ts'],
    globalSetup: ['./database.ts'],
  },
})
