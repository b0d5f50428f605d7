// What a vitest report says about a claim.

export interface ClaimResult {
  readonly passed: number
  readonly failed: number
}

export interface Attempt extends ClaimResult {
  /** If some of it already passed: the test files still to run, and how many tests need not run again. */
  readonly rest?: { readonly files: readonly string[]; readonly passed: number }
}

interface TestReport {
  readonly numFailedTests?: number
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
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
  if (others.length === 0) return { passed, failed }
  return {
    passed,
    failed,
    rest: { files: others.map(({ name }) => name), passed: passedBefore + passedIn(held) },
  }
}
