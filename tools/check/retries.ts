// Which tests passed only when they were retried, night by night: one that does so often is wrong, whatever the machine did.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface Night {
  readonly date: string
  readonly retried: readonly string[]
}

const nightsKept = 10
const mostNights = 2

/** The nights that are kept, and a sentence for each test that was retried in too many of them. */
export function addNight(
  nights: readonly Night[],
  tonight: Night,
): { nights: readonly Night[]; problems: readonly string[] } {
  const kept = [...nights, tonight].slice(-nightsKept)
  const problems = [...new Set(tonight.retried)].flatMap((name) => {
    const count = kept.filter(({ retried }) => retried.includes(name)).length
    return count > mostNights
      ? [`retried in ${count} of the last ${kept.length} nights, so it is the test that is wrong: ${name}`]
      : []
  })
  return { nights: kept, problems }
}

/** Keeps the list in a file. */
export function recordNight(file: string, tonight: Night): readonly string[] {
  const before: readonly Night[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const { nights, problems } = addNight(before, tonight)
  writeFileSync(file, `${JSON.stringify(nights, undefined, 2)}\n`)
  return problems
}
