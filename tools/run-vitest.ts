import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testOutcome, type ClaimResult } from './check/test-outcome.ts'

const root = join(import.meta.dirname, '..')

export interface VitestRun {
  readonly exclude: readonly string[]
  /** Only tests whose titles match; a title begins with those of its groups, each followed by ` > `. */
  readonly titles?: string
  readonly environment: Readonly<Record<string, string>>
  /** A folder for the report. */
  readonly scratch: string
}

/** Runs test files in another environment, and counts. Failures are printed as they occur. */
export async function runVitest(
  tests: readonly string[],
  { exclude, titles, environment, scratch }: VitestRun,
): Promise<ClaimResult> {
  const report = join(scratch, 'report.json')
  const words = [
    'run',
    ...tests,
    ...exclude.map((path) => `--exclude=${path}`),
    ...(titles === undefined ? [] : [`--testNamePattern=${titles}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  return testOutcome(exitCode, await readFile(report, 'utf8').catch(() => '{}'), 0)
}
