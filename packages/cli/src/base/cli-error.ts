import { exitCodes, type ExitCode } from './exit-codes.ts'

/** Ends the command: the message goes to standard error, the code to the shell. The message tells the user what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The command was used wrongly: a flag, a setting or a file is wrong. */
export const wrongUse = (message: string): CliError => new CliError(message, exitCodes.wrongUse)
