import { exitCodes } from '../base/exit-codes.ts'
import { CliError } from '../base/cli-error.ts'

export interface DefinitionProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The place in the definition, in words: `objectTypes 2 (flight), properties, delay`. */
  readonly place: string
  readonly problem: string
}

/** In the form that editors and terminals turn into a link. */
export const problemText = ({ file, line, column, place, problem }: DefinitionProblem): string =>
  `${file}:${line}:${column}: ${place === '' ? '' : `${place}: `}${problem}`

export const refusedDefinition = (problems: readonly DefinitionProblem[]): CliError =>
  new CliError(problems.map(problemText).join('\n'), exitCodes.wrongUse)
