import { expect, it } from 'vitest'
import { changesBetween } from './version-changes.ts'

const names = ['id', 'label', 'rank', 'tags', '__proto__']

it('says of each property that is different what it was and what it is, in the order of the names', () => {
  const older = { id: 'a', label: 'old', rank: 1, tags: ['x', 'y'] }
  const newer = { tags: ['y'], id: 'a', rank: 2 }
  expect(changesBetween(names, older, newer)).toEqual([
    { property: 'label', before: 'old' },
    { property: 'rank', before: '1', after: '2' },
    { property: 'tags', before: '["x","y"]', after: '["y"]' },
  ])
})

it('a state that nothing is before is new in every property', () => {
  expect(changesBetween(names, {}, { id: 'a', rank: 0 })).toEqual([
    { property: 'id', after: 'a' },
    { property: 'rank', after: '0' },
  ])
})

it('a property called __proto__ is one like the others', () => {
  const newer = JSON.parse('{"__proto__": "text"}') as Record<string, unknown>
  expect(changesBetween(names, {}, newer)).toEqual([{ property: '__proto__', after: 'text' }])
})
