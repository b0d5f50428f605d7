// The home page is made of parts of README.md, so that nothing is said in two places.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './shelves.ts'

/** `<!-- README.md: A heading -->`, and if not all of it, `, until "The first words of a paragraph"`. */
const mark = /<!-- README[.]md: (.*?)(?:, until "(.*?)")? -->/g

export function withPartsOfReadme(text: string): string {
  return text.replaceAll(mark, (_, heading: string, end?: string) => partOf(heading, end))
}

function partOf(heading: string, end = '#'): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, after] = readme.split(new RegExp(`^#+ ${RegExp.escape(heading)}\n`, 'm'))
  if (after === undefined) throw new Error(`site/index.md: README.md has no heading "${heading}"`)
  const length = after.search(new RegExp(`^${RegExp.escape(end)}`, 'm'))
  if (length < 0 && end !== '#') throw new Error(`site/index.md: README.md has no paragraph "${end}"`)
  return after.slice(0, length < 0 ? undefined : length).trim()
}
