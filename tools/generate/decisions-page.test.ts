import { expect, it } from 'vitest'
import { decisionIn } from './decisions-page.ts'

const text = `# 7. Pages are yellow

Status: accepted, 2026-11-15. Replaces
[decision 3](0003-pages-are-blue.md).

Summary: Yellow pages are found sooner
than blue ones.

## Context
`

it('takes number, title, status and the one sentence from a decision', () => {
  expect(decisionIn('0007-pages-are-yellow.md', text)).toEqual({
    number: 7,
    title: 'Pages are yellow',
    status: 'accepted, 2026-11-15. Replaces [decision 3](0003-pages-are-blue.md)',
    summary: 'Yellow pages are found sooner than blue ones.',
  })
})

it('says what a decision lacks', () => {
  expect(() => decisionIn('0008-pages-are-yellow.md', text)).toThrow('must begin with "# 8. <title>"')
  expect(() => decisionIn('0007-pages-are-yellow.md', text.replace('Summary: ', ''))).toThrow(
    'needs "Status: ..." and',
  )
})
