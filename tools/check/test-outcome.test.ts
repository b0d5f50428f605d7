import { expect, it } from 'vitest'
import { testOutcome } from './test-outcome.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, index) => ({
    status,
    fullName: `test ${index}`,
    failureMessages: status === 'failed' ? ['Error: 1 is not 2\n    at a line'] : [],
  })),
})
const report = (...files: ReturnType<typeof file>[]) =>
  JSON.stringify({
    numFailedTests: files
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed').length,
    testResults: files,
  })

it('counts what passed, and nothing that was skipped', () => {
  const text = report(file('a', 'passed', 'passed'), file('b', 'passed', 'skipped'))
  expect(testOutcome(0, text, 0)).toEqual({ passed: 3, failed: 0 })
})

it('names the files to retry, and counts each test once', () => {
  const first = testOutcome(1, report(file('a', 'passed', 'passed'), file('b', 'passed', 'failed')), 0)
  expect(first).toEqual({
    passed: 3,
    failed: 1,
    why: ['b: test 1: Error: 1 is not 2'],
    rest: { files: ['b'], failed: ['b: test 1'], passed: 2 },
  })
  const again = testOutcome(0, report(file('b', 'passed', 'passed')), first.rest?.passed ?? 0)
  expect(again).toEqual({ passed: 4, failed: 0 })
})

it('a failure outside any test counts as one failure', () => {
  expect(testOutcome(1, report(file('a', 'passed')), 0)).toMatchObject({ passed: 1, failed: 1 })
  const unloaded = { name: 'b', status: 'failed', message: 'no such module', assertionResults: [] }
  expect(testOutcome(1, report(file('a', 'passed'), unloaded), 0)).toEqual({
    passed: 1,
    failed: 1,
    why: ['b: no such module'],
    rest: { files: ['b'], failed: ['b'], passed: 1 },
  })
})

it('an empty report counts as one failure', () => {
  expect(testOutcome(1, '{}', 0)).toMatchObject({ passed: 0, failed: 1 })
  expect(testOutcome(0, '{}', 0)).toMatchObject({ passed: 0, failed: 1 })
})
