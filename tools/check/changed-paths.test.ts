import { expect, it } from 'vitest'
import { changedPaths } from './changed-paths.ts'

it('says nothing of a commit that git does not know', () => {
  expect(changedPaths('no-such-commit')).toBe('unknown')
})

it('names paths since a commit', () => {
  const paths = changedPaths('HEAD')
  expect(paths).not.toBe('unknown')
  expect(paths).not.toContain('')
})
