import { expect, it } from 'vitest'
import { pointsHold } from '../../harness/points-hold.ts'
import { proveHotObjects } from './prove-hot-objects.ts'

it('a walk at a version costs at most 1.5 times a latest one, however often objects have changed', () =>
  expect(pointsHold(proveHotObjects)).resolves.toBe(2))
