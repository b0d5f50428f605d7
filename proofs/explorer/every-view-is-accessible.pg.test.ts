import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { proveEveryView } from './every-view.ts'
import { proveFirstLoad } from './first-load.ts'
import { withServedExplorer } from './served-explorer.ts'

it('the explorer is small, asks no other host, and axe finds nothing on any of its views', () =>
  expect(
    pointsHold((proof) =>
      withServedExplorer(async (served) => {
        await proveFirstLoad(proof, served)
        await proveEveryView(proof, served)
      }),
    ),
  ).resolves.toBe(3))
