import { expect, it } from 'vitest'
import { CommitOracle } from './commit-oracle.ts'
import { judgeLatestWalk, judgeSnapshotWalk } from './judge-walk.ts'

const threeCommits = (): CommitOracle => {
  const oracle = new CommitOracle()
  oracle.record('b', 2, [{ key: 'k1', edition: 3 }])
  oracle.record('a', 1, [
    { key: 'k1', edition: 1 },
    { key: 'k2', edition: 2 },
  ])
  oracle.record('c', 3, [{ key: 'k2', edition: undefined }])
  return oracle
}
const old = [
  { key: 'k1', edition: 1 },
  { key: 'k2', edition: 2 },
]

it('knows a version only when every one before it is known', () => {
  const oracle = new CommitOracle()
  oracle.record('b', 2, [])
  expect(oracle.known).toBe(0)
  oracle.record('a', 1, [])
  expect(oracle.known).toBe(2)
})

it('gives each version as it was', () => {
  const oracle = threeCommits()
  expect(oracle.editionsAt(1)).toEqual(old)
  expect(oracle.editionsAt(2)).toEqual([
    { key: 'k1', edition: 3 },
    { key: 'k2', edition: 2 },
  ])
  expect(oracle.editionsAt(3)).toEqual([{ key: 'k1', edition: 3 }])
})

it('notices a version that was given to two commits', () => {
  const oracle = threeCommits()
  oracle.record('d', 2, [])
  expect(oracle.problems).toEqual(['version 2 was acknowledged twice, the second time to d'])
})

it('tells a snapshot walk of another version, one that is short, and one in another order', () => {
  const oracle = threeCommits()
  const judge = (version: number, editions: typeof old) =>
    judgeSnapshotWalk(oracle, { version, order: 'by key', editions })
  expect(judge(1, old)).toBeUndefined()
  expect(judge(2, old)).toContain('object 0')
  expect(judge(1, old.slice(1))).toContain('1 objects instead of 2')
  expect(judge(1, old.toReversed())).toContain('object 0')
})

it('tells a latest walk that forgot what was acknowledged, lost an object, or returned one twice', () => {
  const oracle = threeCommits()
  const judge = (since: number, editions: typeof old) =>
    judgeLatestWalk(oracle, { since, lastEditionSent: 3, editions }, ['k1'])
  expect(judge(1, old)).toBeUndefined()
  expect(judge(2, old)).toContain('although 3 was acknowledged')
  expect(judge(1, old.slice(1))).toContain('k1 is missing')
  expect(judge(1, [...old, { key: 'k1', edition: 1 }])).toContain('again or late')
  expect(judge(1, [{ key: 'k1', edition: 4 }])).toContain('nobody sent')
})
