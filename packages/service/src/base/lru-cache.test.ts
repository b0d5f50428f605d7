import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { lruCache } from './lru-cache.ts'

it('forgets what was not asked for the longest', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.record({ what: fc.constantFrom('get', 'set', 'delete'), key })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const most = 3
      const remembered = lruCache<number>(most)
      /** From the least recently used entry to the newest. */
      let expected: (readonly [string, number])[] = []
      for (const [i, { what, key: asked }] of steps.entries()) {
        const known = expected.find(([other]) => other === asked)
        const others = expected.filter(([other]) => other !== asked)
        if (what === 'get') expect(remembered.get(asked)).toBe(known?.[1])
        if (what === 'get' && known !== undefined) expected = [...others, known]
        if (what === 'set') remembered.set(asked, i)
        if (what === 'set') expected = [...others, [asked, i] as const].slice(-most)
        if (what === 'delete') remembered.delete(asked)
        if (what === 'delete') expected = others
      }
      const kept = ['a', 'b', 'c', 'd', 'e'].filter((each) => expected.some(([other]) => other === each))
      expect(['a', 'b', 'c', 'd', 'e'].filter((each) => remembered.get(each) !== undefined)).toEqual(kept)
    }),
    { numRuns: 2_000 },
  )
})
