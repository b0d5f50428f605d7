/** A failure whose message the agent reads. It says what to do next. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError'
}

/** Octavo refused a request of a tool. */
export class Refused extends ToolError {
  override readonly name = 'Refused'
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>

  constructor(message: string, errorName: string, parameters: Readonly<Record<string, unknown>>) {
    super(message)
    this.errorName = errorName
    this.parameters = parameters
  }
}
