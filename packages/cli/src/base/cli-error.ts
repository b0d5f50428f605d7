import { exitCodes, type ExitCode } from './exit-codes.ts'

interface CliErrorOptions extends ErrorOptions {
  /** What to do next, if it is more than the message says: usually a command to copy. */
  readonly hint?: string
}

/** Ends the command: the message goes to standard error, the code to the shell. The message tells the user what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: CliErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
    this.hint = options?.hint
  }
}

/** The command was used wrongly: a flag, a setting or a file is wrong. */
export const wrongUse = (message: string): CliError => new CliError(message, exitCodes.wrongUse)
