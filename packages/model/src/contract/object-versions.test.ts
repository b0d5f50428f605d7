import { expect, it } from 'vitest'
import { ObjectVersions } from './object-versions.ts'

it('knows each version, in whatever order they are recorded', () => {
  const versions = new ObjectVersions<number>()
  versions.record(3, 'a', undefined)
  versions.record(3, 'c', 3)
  versions.record(1, 'a', 1)
  versions.record(2, 'a', 2)
  versions.record(2, 'b', 2)
  const keysAt = (version: number) => [...versions.allAt(version).keys()].toSorted()
  expect([0, 1, 2, 3].map(keysAt)).toEqual([[], ['a'], ['a', 'b'], ['b', 'c']])
  expect(versions.at('a', 1)).toBe(1)
  expect(versions.livedThrough('a', 1, 2)).toBe(true)
  expect(versions.livedThrough('a', 1, 3)).toBe(false)
  expect(versions.livedThrough('b', 1, 3)).toBe(false)
})

it('takes the last of two changes of one key in one version', () => {
  const versions = new ObjectVersions<number>()
  versions.record(1, 'a', 1)
  versions.record(1, 'a', undefined)
  versions.record(1, 'b', 1)
  versions.record(1, 'b', 9)
  expect([...versions.allAt(1)]).toEqual([['b', 9]])
})
