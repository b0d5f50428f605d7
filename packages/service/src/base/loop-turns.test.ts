import { expect, it } from 'vitest'
import { loopTurns } from './loop-turns.ts'

it('each waits for a separate turn of the event loop', async () => {
  const turn = loopTurns()
  const seen: string[] = []
  const others = setInterval(() => seen.push('other'), 0)
  await Promise.all(
    ['first', 'second', 'third'].map(async (name) => {
      await turn()
      const until = performance.now() + 3
      while (performance.now() < until);
      seen.push(name)
    }),
  )
  clearInterval(others)
  expect(seen.filter((name) => name !== 'other')).toEqual(['first', 'second', 'third'])
  expect(seen.slice(seen.indexOf('first'), seen.indexOf('second'))).toContain('other')
  expect(seen.slice(seen.indexOf('second'), seen.indexOf('third'))).toContain('other')
})
