// Which clauses of the specification the kit checks.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allCases } from '../../src/cases/all-cases.ts'
import { pagingSections, unseenClauses } from '../../src/clauses/clauses.ts'

const root = join(import.meta.dirname, '../../../..')
const files = globSync(['spec/*.md', 'docs/reference/{instances,agents,compression}.md'], { cwd: root }).map(
  (file) => join(root, file),
)

/** The section of each clause in the specification. */
export function sectionsOfClauses(): ReadonlyMap<string, string> {
  const sections = new Map<string, string>()
  for (const file of files) {
    let section = ''
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      section = /^##? (.+)$/.exec(line)?.[1] ?? section
      const clause = /^\*\*(P\d+)\*\* /.exec(line)?.[1]
      if (clause !== undefined) sections.set(clause, section)
    }
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
