// The files that have clauses: those of the specification, and pages of the reference about what is not on the wire.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export const specificationFiles: readonly string[] = globSync(
  ['spec/*.md', 'docs/reference/{instances,agents,compression}.md'],
  { cwd: root },
).toSorted()

/** The text of all of them. */
export const readSpecification = (): string =>
  specificationFiles.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
