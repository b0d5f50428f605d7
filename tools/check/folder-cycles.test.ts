import { expect, it } from 'vitest'
import { importsInFolderCycles } from './folder-cycles.ts'

it('names the imports of a cycle and no other, however long the way round is', () => {
  const cycle = [
    { from: 'a/one.ts', to: 'b/one.ts' },
    { from: 'b/two.ts', to: 'c/one.ts' },
    { from: 'c/two.ts', to: 'a/two.ts' },
  ]
  const others = [
    { from: 'a/one.ts', to: 'a/two.ts' },
    { from: 'a/one.ts', to: 'd/one.ts' },
    { from: 'e/one.ts', to: 'a/one.ts' },
  ]
  expect(importsInFolderCycles([...cycle, ...others])).toEqual(cycle)
  expect(importsInFolderCycles([...cycle.slice(1), ...others])).toEqual([])
})

it('a folder and one inside it are two', () => {
  const both = [
    { from: 'a/one.ts', to: 'a/b/one.ts' },
    { from: 'a/b/two.ts', to: 'a/two.ts' },
  ]
  expect(importsInFolderCycles(both)).toEqual(both)
})
