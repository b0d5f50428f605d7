import { expect, it } from 'vitest'
import { pointsHold } from '../harness/points-hold.ts'
import { prepareData } from './data/prepare-data.ts'
import { proveDepth } from './flat/prove-depth.ts'
import { measureMiddle } from './flat/prove-size.ts'
import { proveBuffers } from './guard/prove-buffers.ts'
import { proveOneStatement } from './guard/prove-one-statement.ts'
import { readSpeedOptions } from './options.ts'

it('a page is one prepared statement in one round trip, reads few blocks, and no more when it is deep', () =>
  expect(
    pointsHold(async (proof) => {
      const options = readSpeedOptions(proof)
      const data = await prepareData({
        objects: options.objects,
        say: proof.say,
        beforeChange: measureMiddle,
      })
      try {
        await proveOneStatement(proof, data)
        await proveBuffers(proof, data)
        await proveDepth({ proof, data, options })
      } finally {
        await data.end()
      }
    }),
  ).resolves.toBe(3))
