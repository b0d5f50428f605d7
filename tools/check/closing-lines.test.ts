import { expect, it } from 'vitest'
import { closingLines } from './closing-lines.ts'

const lint = { name: 'lint', passed: 1, failed: 0, triedAgain: 0 }

it('say what failed, and end with the count', () => {
  const tests = { name: 'tests', passed: 40, failed: 2, why: ['a: 1 is not 2', 'b: broken'], triedAgain: 0 }
  expect(closingLines([lint, tests])).toEqual([
    'tests does not hold:',
    '   a: 1 is not 2',
    '   b: broken',
    'Claims that were retried: 0 of 2',
    '41 passed, 2 failed',
  ])
})

it('name and count what was retried, whether it holds now or not', () => {
  const tests = { name: 'tests', passed: 42, failed: 0, triedAgain: 1 }
  const load = { name: 'prove:load', passed: 0, failed: 1, triedAgain: 2 }
  expect(closingLines([lint, tests, load])).toEqual([
    'prove:load does not hold:',
    'Retried, because the machine was stalled: tests (once), prove:load (2 times, without success)',
    'Claims that were retried: 2 of 3',
    '43 passed, 1 failed',
  ])
})
