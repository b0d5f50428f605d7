import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { decisionIn, decisionsPage, readDecisions, subjects } from './decisions-page.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/decisions')

const text = `# 7. Pages are yellow

Status: accepted, 2026-11-15

Subject: pages and
tokens

Summary: Yellow pages are found sooner than blue ones.

## Why
`
const file = '0007-pages-are-yellow.md'
const yellow = { file, number: 7, title: 'Pages are yellow', subject: 'pages and tokens' } as const

it('takes number, title and subject from a decision', () => {
  expect(decisionIn(file, text)).toEqual(yellow)
})

it('says what a decision lacks', () => {
  expect(() => decisionIn('0008-pages-are-yellow.md', text)).toThrow('must begin with "# 8. <title>"')
  for (const mark of ['Status: ', 'Subject: ', 'Summary: ']) {
    expect(() => decisionIn(file, text.replace(mark, ''))).toThrow('needs "Status: ..."')
  }
  expect(() => decisionIn(file, text.replace('pages and\ntokens', 'colours'))).toThrow(
    'A subject is one of: storage and versions, pages and tokens,',
  )
})

it('lists each decision once, by its number, under the heading of its subject', () => {
  const older = { file: '0003-pages.md', number: 3, title: 'Pages', subject: 'pages and tokens' } as const
  const page = decisionsPage([older, yellow])
  expect(page).toContain(
    '## Pages and tokens\n\n- 3 [Pages](0003-pages.md)\n- 7 [Pages are yellow](0007-pages-are-yellow.md)\n\n## Queries',
  )
})

const decisions = readDecisions()

it('every heading has decisions, and every number stands for one', () => {
  expect(new Set(decisions.map(({ subject }) => subject))).toEqual(new Set(subjects))
  const included = decisions.flatMap((decision) => {
    const [, list = ''] = /\nIncludes decisions? ([\d, and]+)[.]\n$/.exec(textOf(decision.file)) ?? []
    return [...list.matchAll(/\d+/g)].map(Number)
  })
  const numbers = [...decisions.map(({ number }) => number), ...included]
  expect(numbers.length).toBe(new Set(numbers).size)
})

it('every file of the code that a decision names exists', () => {
  const files = globSync(['{packages,proofs,tools}/**/*.{ts,sql}', '**/*.md'], {
    cwd: root,
    exclude: (path) => path.split('/').includes('node_modules'),
  })
  const named = decisions.flatMap((decision) =>
    [...textOf(decision.file).matchAll(/`([\w.-]+(?:\/[\w.-]+)*[.](?:ts|sql|md))`/g)].map(
      ([, path = '']) => path,
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !files.some((known) => `/${known}`.endsWith(`/${path}`)))).toEqual([])
})

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
