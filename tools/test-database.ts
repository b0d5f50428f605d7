// The database of every *.pg.test.ts: one server for the run, a fresh migrated database for each test that needs one.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { vitestGlobalSetup } from '@octavo/dev-database/vitest-global-setup'
import { builtProgram } from '../packages/octavo/bundle/built-program.ts'

// In a process, because `vitest --changed` runs every test again when a module changes that this file imports.
const migrate = async (url: string): Promise<void> => {
  await promisify(execFile)(process.execPath, [builtProgram('service'), 'migrate'], {
    env: { PATH: process.env['PATH'], OCTAVO_DATABASE_URL: url },
  })
}

export const setup = vitestGlobalSetup({ prepare: migrate })
