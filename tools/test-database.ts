// The database of every *.pg.test.ts: one server for the run, a fresh migrated database for each test that needs one.

import { vitestGlobalSetup } from '@octavo/dev-database/vitest-global-setup'
import { migrateDatabase } from '@octavo/service'

export const setup = vitestGlobalSetup({ prepare: (url) => migrateDatabase(url, () => {}) })
