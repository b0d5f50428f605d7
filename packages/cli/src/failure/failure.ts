// What went wrong, as the user reads it: a sentence, or with --json one object.
import { CommanderError } from 'commander'
import { OctavoError } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes, type ExitCode } from '../base/exit-codes.ts'
import { fileErrorOf } from '../base/file-error.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { inWordsOfTheCommand } from './in-words-of-the-command.ts'
import { jsonLine, printable } from '../output/printed-value.ts'

export interface Failure {
  /** A name of docs/reference/errors.md if the service refused; otherwise one of the command's own. */
  readonly errorName: string
  /** Empty if the command has already said what went wrong. */
  readonly errorDescription: string
  /** Those of the service's error. */
  readonly parameters?: object
  readonly exitCode: ExitCode
  readonly hint?: string
}

type FailureContext = Pick<CommandContext, 'stopAsked' | 'environment'>

export function failureOf(error: unknown, { stopAsked, environment }: FailureContext): Failure {
  if (error instanceof CommanderError) return wrongWords(error)
  if (error instanceof CliError) return ofCommand(error)
  if (stopAsked.aborted)
    return { errorName: 'Stopped', errorDescription: '', exitCode: exitCodes.interrupted }
  if (error instanceof OctavoError) return ofClient(error)
  const ofFile = fileErrorOf(error)
  if (ofFile !== undefined) return ofCommand(ofFile)
  const reason = error instanceof Error ? error.message || error.name : String(error)
  const trace = environment[traceVariable] && error instanceof Error ? error.stack : undefined
  return {
    errorName: 'Unexpected',
    errorDescription: `octavo failed and cannot say why: ${reason}`,
    exitCode: exitCodes.failed,
    hint:
      trace ??
      `This is an error in octavo. Please report it, with what it prints if ${traceVariable}=1 is set.`,
  }
}

const traceVariable = 'OCTAVO_TRACE'

export function failureText(failure: Failure, { json }: { json: boolean }): string {
  const { errorDescription, hint } = failure
  if (errorDescription === '') return ''
  if (json) return jsonLine(failure)
  return printable(hint === undefined ? `${errorDescription}\n` : `${errorDescription}\n${hint}\n`)
}

const nameByCode = {
  [exitCodes.done]: 'Done',
  [exitCodes.failed]: 'Failed',
  [exitCodes.wrongUse]: 'WrongUse',
  [exitCodes.doneInPart]: 'DoneInPart',
  [exitCodes.interrupted]: 'Stopped',
} as const satisfies Record<ExitCode, string>

function ofCommand(error: CliError): Failure {
  const { message, exitCode, hint } = error
  // A command may have added what to do next; the refusal is then its cause.
  const refusal = [error, error.cause].find(isRefusal)
  const ours = error.name === 'CliError' ? nameByCode[exitCode] : error.name
  return {
    ...(refusal === undefined ? { errorName: ours } : partsOf(refusal)),
    errorDescription: (refusal?.message === message ? inWordsOfTheCommand(refusal) : undefined) ?? message,
    exitCode,
    ...(hint !== undefined && { hint }),
  }
}

const isRefusal = (error: unknown): error is ServiceRefused | OctavoError =>
  error instanceof OctavoError || (error instanceof ServiceRefused && error.errorName !== '')

const partsOf = ({ errorName, parameters }: ServiceRefused | OctavoError) => ({ errorName, parameters })

const ofClient = (error: OctavoError): Failure => ({
  ...partsOf(error),
  errorDescription: inWordsOfTheCommand(error) ?? error.message,
  exitCode: exitCodes.failed,
})

function wrongWords({ exitCode, code, message }: CommanderError): Failure {
  const asked = code === 'commander.help' ? 'No command was given.' : message.replace(/^error: /, '')
  return {
    errorName: 'WrongUse',
    errorDescription: asked,
    exitCode: exitCode === 0 ? exitCodes.done : exitCodes.wrongUse,
    hint: 'Add --help for usage.',
  }
}
