import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { testOutcome, type ClaimResult } from './check/test-outcome.ts'

const root = join(import.meta.dirname, '..')

export interface VitestRun {
  /** Paths of test files. Vitest itself passes over `--exclude` where projects have their own list. */
  readonly exclude: readonly string[]
  /** Only tests whose titles match; a title begins with those of its groups, each followed by ` > `. */
  readonly titles?: string
  readonly environment: Readonly<Record<string, string>>
  /** A folder for the report. */
  readonly scratch: string
}

/** The test files whose paths begin so. */
export const testFiles = (beginnings: readonly string[], exclude: readonly string[]): readonly string[] =>
  globSync('{packages,proofs,tools}/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => beginnings.some((beginning) => file.startsWith(beginning)) && !exclude.includes(file))
    .toSorted()

/** Runs test files in another environment, and counts. Failures are printed as they occur. */
export async function runVitest(
  tests: readonly string[],
  { exclude, titles, environment, scratch }: VitestRun,
): Promise<ClaimResult> {
  const report = join(scratch, 'report.json')
  const words = [
    'run',
    ...testFiles(tests, exclude),
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
