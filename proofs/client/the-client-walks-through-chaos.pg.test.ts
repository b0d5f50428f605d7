import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { proveWalksThroughChaos } from './walks-through-chaos.ts'

it('walks through a proxy that spoils answers are exact or end with an error', () =>
  expect(pointsHold((proof) => proveWalksThroughChaos(proof, 50))).resolves.toBe(1))
