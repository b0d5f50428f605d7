import { exitCodes } from '../base/exit-codes.ts'
import { CliError } from '../base/cli-error.ts'

export interface DefinitionProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  /** In words: `objectTypes 2 (flight), properties, delay`. */
  readonly location: string
  readonly problem: string
}

/** In the form that editors and terminals turn into a link. */
export const problemText = ({ file, line, column, location, problem }: DefinitionProblem): string =>
  `${file}:${line}:${column}: ${location === '' ? '' : `${location}: `}${problem}`

export const refusedDefinition = (problems: readonly DefinitionProblem[]): CliError =>
  new CliError(problems.map(problemText).join('\n'), exitCodes.wrongUse)
