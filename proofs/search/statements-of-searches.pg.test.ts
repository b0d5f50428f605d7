import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { proveCosts } from './costs.ts'
import { proveInjection } from './injection.ts'

it('values, positions and orders of a request never reach the text of a statement', () =>
  expect(pointsHold((proof) => proveInjection(proof, 50))).resolves.toBe(2))

it('no operator scans a type, and a page from a btree reads few blocks for each row', () =>
  expect(pointsHold(proveCosts)).resolves.toBe(2))
