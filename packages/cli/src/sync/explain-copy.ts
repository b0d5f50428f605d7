// What went wrong with a copy, as a sentence that says what to do.
import { CliError, wrongUse } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { CopyBusy } from './copy-database.ts'
import { CopyProblem } from './copy-problem.ts'
import type { CopyTarget } from './to-option.ts'
import { expiredBy, isGone, type Expired } from './service-answers.ts'

export interface CopyCommand {
  readonly target: CopyTarget
  readonly objectTypes: readonly string[]
}

export const syncCommand = ({ target, objectTypes }: CopyCommand, ...flags: readonly string[]): string =>
  `  octavo sync ${[...objectTypes, ...target.words, ...flags].join(' ')}`

/** The error itself if it says already what to do. */
export function explainCopy(error: unknown, command: CopyCommand): unknown {
  if (error instanceof CopyProblem) return ofProblem(error, command)
  const expired = expiredBy(error)
  if (expired !== undefined) return ofExpired(expired, command, error)
  if (isGone(error)) {
    return new CliError(
      'The state that was being read is gone: the service keeps states for a limited time.',
      exitCodes.failed,
      {
        cause: error,
        hint: `Try again with more readers side by side:\n${syncCommand(command, '--partitions', '8')}`,
      },
    )
  }
  return ofDatabase(error, command) ?? error
}

export const expiredText = ({ objectType, because }: Expired, { target }: CopyCommand): string =>
  `${target.name} cannot be brought up to date${objectType === undefined ? '' : ` (${objectType})`}: ${because}.`

const ofExpired = (expired: Expired, command: CopyCommand, cause: unknown): CliError =>
  new CliError(`${expiredText(expired, command)} It was left as it is.`, exitCodes.failed, {
    cause,
    hint: `To read everything again, beside the copy, and replace it when the new one is whole:\n${syncCommand(command, '--restart')}`,
  })

function ofProblem({ kind, objectType }: CopyProblem, command: CopyCommand): CliError {
  const to = command.target.name
  switch (kind) {
    case 'not a copy':
      return wrongUse(
        `${to} has a table ${objectType} that octavo sync did not make: rename it, or copy to another file or database.`,
      )
    case 'reserved name':
      return wrongUse(
        `${objectType} cannot be copied: names of tables that begin with octavo_ or sqlite_ are taken.`,
      )
    case 'another ontology':
      return wrongUse(
        `${to} has a copy of ${objectType} from another ontology: choose the right one with --ontology, or copy to another file or database.`,
      )
    case 'written elsewhere':
      return new CliError(
        `Another octavo sync is writing ${objectType} to ${to}: let it finish, or stop it. This one has stopped.`,
      )
    case 'another definition':
      return new CliError(
        `The service has another ${objectType} than the one in ${to}. The copy was left as it is.`,
        exitCodes.failed,
        { hint: `To replace the copy:\n${syncCommand(command, '--restart')}` },
      )
    case 'newer definition':
      return new CliError(
        `The definition of ${objectType} is being changed: try again in a moment. The copy was left as it is.`,
      )
    case 'does not add up':
      return new CliError(
        `With the changes, ${objectType} in ${to} would not be what the service has: its rows were changed by something else. The copy was left as it is.`,
        exitCodes.failed,
        {
          hint: `To see which rows, and to replace the copy:\n  octavo verify ${command.target.words.join(' ')}\n${syncCommand(command, '--restart')}`,
        },
      )
    case 'incomplete load':
      return new CliError(
        `The objects of ${objectType} that were received are not those of the state that was read. Something between this command and the service changed, lost or repeated an object. Nothing was copied.`,
        exitCodes.failed,
        { hint: `To read everything again:\n${syncCommand(command, '--restart')}` },
      )
    default:
      return kind satisfies never
  }
}

function busyText(to: string): string {
  return `Another program is writing to ${to} and does not finish: close it, and try again.`
}

/** The numbers of SQLite's errors that a user can do something about. */
const sqliteSentences: Readonly<Record<number, (to: string) => string>> = {
  5: busyText,
  8: (to) => `You may not write to ${to}: check its permissions and those of its folder.`,
  11: (to) => `${to} is damaged: move it away, and make a new copy.`,
  13: (to) => `There is no room left for ${to}: free space on its disk, and try again.`,
  14: (to) => `${to} cannot be opened: check that its folder is there and that you may write in it.`,
  26: (to) => `${to} is not a SQLite file: name another one.`,
}

function ofDatabase(error: unknown, { target: { name: to } }: CopyCommand): CliError | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof CopyBusy) return new CliError(busyText(to), exitCodes.failed, { cause: error })
  if ('errcode' in error && typeof error.errcode === 'number') {
    // The lower byte is the kind of the error.
    const sentence = sqliteSentences[error.errcode & 0xff]
    const message = sentence?.(to) ?? `${to} failed (${error.message}).`
    return new CliError(message, exitCodes.failed, { cause: error })
  }
  if (error.name !== 'SourceFailure') return undefined
  const kind = 'kind' in error ? error.kind : undefined
  const advice =
    kind === 'no access'
      ? 'check the user, and set PGPASSWORD or use a ~/.pgpass file'
      : kind === 'no database'
        ? 'check the name at the end of the URL, or create it with createdb'
        : kind === 'no right'
          ? 'its owner must allow you to create tables in it'
          : 'check that it runs, and the host and port of its URL'
  return new CliError(`The database of the copy failed (${error.message}): ${advice}.`, exitCodes.failed, {
    cause: error,
  })
}
