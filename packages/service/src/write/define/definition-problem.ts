/** What is wrong with a definition, and where. */
export interface DefinitionProblem {
  readonly path: string
  readonly problem: string
}
