import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notesOf, released } from './changelog.ts'

const before = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- B.\n\n## [0.1.0] - 2026-01-01\n\n- A.\n'

it('gives what is not released a version and a day, and leaves room for what comes next', () => {
  const after = released(before, '0.2.0', '2026-02-03')
  expect(after).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- B.\n\n## [0.1.0] - 2026-01-01\n\n- A.\n',
  )
  expect(notesOf(after, '0.2.0')).toBe('### Added\n\n- B.')
  expect(released(after, '0.2.0', '2026-02-04')).toBe(after)
})

it('releases nothing that has nothing to tell', () => {
  const after = released(before, '0.2.0', '2026-02-03')
  expect(() => released(after, '0.3.0', '2026-02-04')).toThrow('nothing under')
  expect(() => notesOf(before, '0.3.0')).toThrow('no section 0.3.0')
})

it('can be applied to our own', () => {
  const ours = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  expect(ours).toContain('\n## [Unreleased]\n')
})
