import { format } from 'sql-formatter'

const width = 120

/** A statement as a person would write it, for snapshots that a person reviews: what fits into a line is in one. */
export const formattedSql = (text: string): string =>
  folded(format(text, { language: 'postgresql', keywordCase: 'lower', linesBetweenQueries: 0 }).split('\n'))
    .concat('')
    .join('\n')

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Each line with those below it that are indented more, and the bracket that closes them. */
function folded(lines: readonly string[]): readonly string[] {
  const result: string[] = []
  for (let i = 0; i < lines.length;) {
    const first = lines[i] ?? ''
    const isInside = (line: string) => indentOf(line) > indentOf(first)
    let end = i + 1
    while (end < lines.length && isInside(lines[end] ?? '')) end += 1
    const inside = folded(lines.slice(i + 1, end))
    const closes = first.endsWith('(') && inside.length > 0
    const block = [first, ...inside, ...(closes ? lines.slice(end, end + 1) : [])]
    const line = block.map((each, j) => (j === 0 ? each : each.trim())).join(' ')
    const whole = line.replaceAll('( ', '(').replaceAll(' )', ')')
    const last = result.at(-1)
    if (whole.length > width) result.push(...block)
    else if (
      last?.endsWith(',') &&
      indentOf(last) === indentOf(whole) &&
      `${last} ${whole.trim()}`.length <= width
    )
      result[result.length - 1] = `${last} ${whole.trim()}`
    else result.push(whole)
    i = closes ? end + 1 : end
  }
  return result
}
