import { expect, it } from 'vitest'
import { tagProblem } from './tag-problem.ts'

const changelog = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n- A.\n'

it('a tag is the version of the packages, with its section in the changelog', () => {
  expect(tagProblem('v0.2.0', '0.2.0', changelog)).toBeUndefined()
  expect(tagProblem('v0.2.1', '0.2.0', changelog)).toContain('The tag is v0.2.1, but the packages are 0.2.0')
  expect(tagProblem('0.2.0', '0.2.0', changelog)).toContain('The tag is 0.2.0')
  expect(tagProblem('v0.3.0', '0.3.0', changelog)).toContain('no section 0.3.0')
})
