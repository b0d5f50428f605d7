// What a vitest report says about a claim.
import { relative } from 'node:path'

export interface ClaimResult {
  readonly passed: number
  readonly failed: number
  /** What failed, in lines for the end of a check. */
  readonly why?: readonly string[]
}

export interface Attempt extends ClaimResult {
  readonly rest?: {
    /** The test files to run again. */
    readonly files: readonly string[]
    /** Their tests that failed. */
    readonly failed: readonly string[]
    /** How many tests need not run again. */
    readonly passed: number
  }
}

interface TestReport {
  readonly numFailedTests?: number
  readonly testResults?: readonly TestFile[]
}

interface TestFile {
  readonly name: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName?: string
    readonly failureMessages?: readonly string[]
  }[]
}

export function testOutcome(exitCode: number, reportText: string, passedBefore: number): Attempt {
  const { numFailedTests = 0, testResults = [] }: TestReport = JSON.parse(reportText)
  const passedIn = (files: typeof testResults) =>
    files.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed').length
  const passed = passedBefore + passedIn(testResults)
  if (exitCode === 0 && numFailedTests === 0 && passed > 0) return { passed, failed: 0 }
  // A file that fails to load has no failed test in it, so the exit code decides.
  const failed = Math.max(1, numFailedTests)
  const [held, others] = [
    testResults.filter(({ status }) => status === 'passed'),
    testResults.filter(({ status }) => status !== 'passed'),
  ]
  if (others.length === 0) return { passed, failed, why: ['vitest failed, and no test did'] }
  return {
    passed,
    failed,
    why: others.flatMap(failuresOf).map(({ name, message }) => `${name}: ${message}`),
    rest: {
      files: others.map(({ name }) => name),
      failed: others.flatMap(failuresOf).map(({ name }) => name),
      passed: passedBefore + passedIn(held),
    },
  }
}

interface Failure {
  readonly name: string
  readonly message: string
}

function failuresOf({ name, message, assertionResults }: TestFile): readonly Failure[] {
  const file = relative(process.cwd(), name)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return [{ name: file, message: firstLine(message) }]
  return failed.map(({ fullName, failureMessages }) => ({
    name: `${file}: ${fullName}`,
    message: firstLine(failureMessages?.[0]),
  }))
}

const firstLine = (text = 'no message'): string => text.split('\n', 1)[0] ?? ''
