import { expect, it } from 'vitest'
import { closingLines } from './closing-lines.ts'

const lint = { name: 'lint', passed: 1, failed: 0, retried: [] }

it('say what failed, and end with the count', () => {
  const tests = { name: 'tests', passed: 40, failed: 2, why: ['a: 1 is not 2', 'b: broken'], retried: [] }
  expect(closingLines([lint, tests])).toEqual([
    'tests does not hold:',
    '   a: 1 is not 2',
    '   b: broken',
    'Retried: 0',
    '41 passed, 2 failed',
  ])
})

it('name and count what was retried, whether it holds now or not', () => {
  const tests = { name: 'tests', passed: 42, failed: 0, retried: ['a: is one', 'a: is two'] }
  const load = { name: 'prove:load', passed: 0, failed: 1, retried: ['prove:load'] }
  expect(closingLines([lint, tests, load])).toEqual([
    'prove:load does not hold:',
    'Retried, because the machine was stalled: a: is one',
    'Retried, because the machine was stalled: a: is two',
    'Retried, because the machine was stalled: prove:load',
    'Retried: 3',
    '43 passed, 1 failed',
  ])
})
