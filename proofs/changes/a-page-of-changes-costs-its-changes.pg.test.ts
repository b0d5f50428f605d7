import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { proveChangesCost } from './cost.ts'

it('a page of changes reads as many blocks whatever the size of the collection', () =>
  expect(pointsHold(proveChangesCost, { sentence: 'whatever the size' })).resolves.toBe(1))
