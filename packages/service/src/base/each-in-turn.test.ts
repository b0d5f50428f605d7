import { expect, it } from 'vitest'
import { eachInTurn } from './each-in-turn.ts'

it('a failure does not stop the others, and the first one is thrown at the end', async () => {
  const done: number[] = []
  const working = eachInTurn([1, 2, 3, 4], async (number) => {
    if (number % 2 === 0) throw new Error(`failed at ${number}`)
    done.push(number)
  })
  await expect(working).rejects.toThrow('failed at 2')
  expect(done).toEqual([1, 3])
})
