import { expect, it } from 'vitest'
import { invariant } from './invariant.ts'

it('names the one place in the code when what cannot happen has happened', () => {
  expect(() => invariant(false, 'plan-without-tie-breaker')).toThrow('plan-without-tie-breaker')
  expect(() => invariant(true, 'plan-without-tie-breaker')).not.toThrow()
})
