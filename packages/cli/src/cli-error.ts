import { exitCodes, type ExitCode } from './exit-codes.ts'

/** Ends the command: the message goes to standard error, the code to the shell. The message says what to do. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The command was not used as it is meant to be: a flag, a setting, a file. */
export const wrongUse = (message: string): CliError => new CliError(message, exitCodes.wrongUse)
