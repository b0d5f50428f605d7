import { expect, it } from 'vitest'
import { pointsHold } from '../points-hold.ts'
import { proveHotObjects } from './hot-objects.ts'
import { provePlans } from './plans.ts'

it('a page reads as many blocks at every depth, in every order, latest and at a version', () =>
  expect(pointsHold(provePlans)).resolves.toBe(5))

it('a walk at a version costs at most 1.5 times a latest one, however often objects have changed', () =>
  expect(pointsHold(proveHotObjects)).resolves.toBe(2))
