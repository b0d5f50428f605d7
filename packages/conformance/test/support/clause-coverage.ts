// Which clauses of PROTOCOL.md the kit checks.
import { readFileSync } from 'node:fs'
import { allCases } from '../../src/cases/all-cases.ts'
import { pagingSections, unseenClauses } from '../../src/clauses/clauses.ts'

/** The section of each clause in PROTOCOL.md. */
export function sectionsOfClauses(): ReadonlyMap<string, string> {
  const protocol = readFileSync(new URL('../../../../PROTOCOL.md', import.meta.url), 'utf8')
  const sections = new Map<string, string>()
  let section = ''
  for (const line of protocol.split('\n')) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section
    const clause = /^\*\*(P\d+)\.\*\* /.exec(line)?.[1]
    if (clause !== undefined) sections.set(clause, section)
  }
  return sections
}

export const triedClauses: ReadonlySet<string> = new Set(allCases.map(({ clause }) => clause))

export interface Coverage {
  readonly ofPaging: readonly string[]
  /** Neither checked nor known to be invisible from outside. */
  readonly untried: readonly string[]
}

export function clauseCoverage(): Coverage {
  const ofPaging = [...sectionsOfClauses()]
    .filter(([, section]) => pagingSections.some((each) => each === section))
    .map(([clause]) => clause)
  return {
    ofPaging,
    untried: ofPaging.filter((clause) => !triedClauses.has(clause) && unseenClauses[clause] === undefined),
  }
}
