import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { proveSearchAround } from './search-around.ts'

it('a search around is flat in depth, and reads few blocks for each object', () =>
  expect(pointsHold(proveSearchAround)).resolves.toBe(2))
