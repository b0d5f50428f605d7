import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/decisions')

export interface Decision {
  readonly number: number
  readonly title: string
  readonly status: string
  readonly summary: string
}

/** The head of a decision: its number and title, its status, and one plain sentence. */
export function decisionIn(file: string, text: string): Decision {
  const [heading = '', ...paragraphs] = text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
  const [, number, title] = /^# (\d+)[.] (.+)$/.exec(heading) ?? []
  const after = (mark: string) =>
    paragraphs.find((paragraph) => paragraph.startsWith(mark))?.slice(mark.length)
  const [status, summary] = [after('Status: '), after('Summary: ')]
  if (title === undefined || Number(number) !== Number(file.slice(0, 4))) {
    throw new Error(`docs/decisions/${file} must begin with "# ${Number(file.slice(0, 4))}. <title>".`)
  }
  if (status === undefined || summary === undefined) {
    throw new Error(
      `docs/decisions/${file} needs "Status: ..." and "Summary: <one plain sentence>" under its title.`,
    )
  }
  return { number: Number(number), title, status: status.replace(/[.]$/, ''), summary }
}

/** docs/decisions/README.md, from the decisions themselves. */
export function decisionsPage(): string {
  const files = readdirSync(folder)
    .filter((file) => /^\d{4}-.*[.]md$/.test(file))
    .toSorted()
  const rows = files.map((file) => {
    const { number, title, status, summary } = decisionIn(file, readFileSync(join(folder, file), 'utf8'))
    const changed = /^accepted, [\d-]+$/.test(status) ? '' : ` (${status})`
    return `- **${number}** [${title}](${file}). ${summary}${changed}`
  })
  return [
    '# Decisions',
    '',
    'Why things are as they are: one page for each choice that somebody could reasonably have made differently. A decision is not',
    'edited but superseded by a later one, and its status then says so. Decisions about code that is gone are summed up in',
    '[what we tried](what-we-tried.md). This page is generated: write the decision and run `npm run generate`.',
    '',
    ...rows,
    '',
  ].join('\n')
}
