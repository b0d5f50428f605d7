import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/decisions')

/** The headings of the page, in its order. Each decision names one after "Subject: ". */
export const subjects = [
  'storage and versions',
  'pages and tokens',
  'queries',
  'changes and copies',
  'writing and loading',
  'access and clients',
  'running it',
  'how we work',
] as const
type Subject = (typeof subjects)[number]

export interface Decision {
  readonly file: string
  readonly number: number
  readonly title: string
  readonly subject: Subject
}

/** The head of a decision: its number and title, and its subject. */
export function decisionIn(file: string, text: string): Decision {
  const [heading = '', ...paragraphs] = text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
  const [, number, title] = /^# (\d+)[.] (.+)$/.exec(heading) ?? []
  const after = (mark: string) =>
    paragraphs.find((paragraph) => paragraph.startsWith(mark))?.slice(mark.length)
  if (title === undefined || Number(number) !== Number(file.slice(0, 4))) {
    throw new Error(`docs/decisions/${file} must begin with "# ${Number(file.slice(0, 4))}. <title>".`)
  }
  const subject = subjects.find((known) => known === after('Subject: '))
  if (subject === undefined || after('Status: ') === undefined || after('Summary: ') === undefined) {
    throw new Error(
      `docs/decisions/${file} needs "Status: ...", "Subject: ..." and "Summary: <one or two plain sentences>" under its title. A subject is one of: ${subjects.join(', ')}.`,
    )
  }
  return { file, number: Number(number), title, subject }
}

export const readDecisions = (): readonly Decision[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}-.*[.]md$/.test(file))
    .toSorted()
    .map((file) => decisionIn(file, readFileSync(join(folder, file), 'utf8')))

/** docs/decisions/README.md, from the decisions themselves. */
export function decisionsPage(decisions = readDecisions()): string {
  const groups = subjects.flatMap((subject) => [
    `## ${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}`,
    '',
    ...decisions
      .filter((decision) => decision.subject === subject)
      .map(({ file, number, title }) => `- ${number} [${title}](${file})`),
    '',
  ])
  return [
    '# Decisions',
    '',
    'Why is it designed this way? Each page is one choice that a reasonable person could have made differently: the reasons, the',
    'alternatives with their figures, and what must stay true. [What we tried](what-we-tried.md) has decisions about code that is gone.',
    '',
    'Numbers are never used again. A missing one is in another page, which says so at its end, or in what we tried. This list is',
    'generated: write a decision and run `npm run generate`.',
    '',
    ...groups,
  ].join('\n')
}
