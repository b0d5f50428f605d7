import { expect, it } from 'vitest'
import { pointsHold } from './points-hold.ts'
import type { Proof } from './prove.ts'

const proveTwo = async ({ point, say, short }: Proof): Promise<void> => {
  await point('one is one', async () => 'it is')
  await point('one is two', async () => {
    say(`tried ${short ? 'briefly' : 'at length'}`)
    throw new Error('it is not')
  })
}

it('fails with what is not shown, and what was said', async () => {
  await expect(pointsHold(proveTwo)).rejects.toThrow(/^one is two: it is not\n[^]*tried briefly/)
})

it('shows only the points that are asked for, and counts them', async () => {
  await expect(pointsHold(proveTwo, { sentence: 'is one' })).resolves.toBe(1)
  await expect(pointsHold(proveTwo, { sentence: 'is three' })).resolves.toBe(0)
})
