import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { provePlans } from './plans.ts'

it('a page reads as many blocks at every depth, in every order, latest and at a version', () =>
  expect(pointsHold(provePlans)).resolves.toBe(5))
