// Part of a hand-written page may be generated: it is between two comments that name it.

/** The page with that part replaced. */
export function betweenMarks(page: string, name: string, made: string): string {
  const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`]
  const [before, rest, ...more] = page.split(start)
  const [old, after, ...others] = rest?.split(end) ?? []
  if (before === undefined || old === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`The page must have the lines "${start}" and "${end}", once each.`)
  }
  return `${before}${start}\n\n${made}\n\n${end}${after}`
}
