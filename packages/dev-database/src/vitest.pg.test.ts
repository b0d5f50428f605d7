import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const root = fileURLToPath(new URL('vitest-run.fixture', import.meta.url))

it('gives every test file of a vitest run databases on one server, which is gone afterwards', async () => {
  const folder = await mkdtemp('/tmp/octavo-run-')
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o1777)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder }
  const args = ['--conditions=@octavo/source', vitest, 'run', '--config', join(root, 'vitest.config.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: root })
  expect(stdout).toMatch(/Test Files .*2 passed/)
  expect(stdout).toMatch(/Tests .*2 passed/)
  expect((await readdir(folder)).filter((name) => name.startsWith('octavo-pg-'))).toEqual([])
})
