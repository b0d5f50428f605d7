// What to do next after an export that failed or was stopped.
import { OctavoError } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { FileError } from '../base/file-error.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { ExportFormat } from './export-format.ts'

const endsAWalk: ReadonlySet<string> = new Set(['ConsistentSnapshotError', 'InvalidPageToken'])

interface FailedExport {
  readonly facts: Pick<TypeFacts, 'apiName'>
  readonly out: string | undefined
  readonly format: ExportFormat
  readonly escapesFormulas: boolean
}

export function explainedExport(
  error: unknown,
  { stopAsked }: Pick<CommandContext, 'stopAsked'>,
  { out, facts, format, escapesFormulas }: FailedExport,
): unknown {
  const form = `${format === 'ndjson' ? '' : ` --format ${format}`}${escapesFormulas ? ' --escape-formulas' : ''}`
  const again = (flag = '') => `  octavo export ${facts.apiName} --out ${out}${form}${flag}`
  const resume = (when = '') =>
    format === 'parquet'
      ? `A Parquet file cannot be continued. To start over:\n${again()}`
      : `To continue where it stopped${when}:\n${again(' --resume')}`
  if (stopAsked.aborted) {
    const hint = resume(', within 15 minutes unless your service is configured otherwise')
    return new CliError('Stopped.', exitCodes.interrupted, out === undefined ? {} : { hint })
  }
  if (error instanceof FileError && error.exitCode === exitCodes.failed && out !== undefined) {
    return new CliError(error.message, error.exitCode, { cause: error, hint: resume() })
  }
  if (!(error instanceof OctavoError)) return error
  // Nothing was begun: the command itself is to be corrected.
  if (error.errorCode === 'INVALID_ARGUMENT' && !endsAWalk.has(error.errorName)) return error
  const isOver = endsAWalk.has(error.errorName)
  if (out === undefined) return new CliError(error.message, exitCodes.failed, { cause: error })
  const hint =
    isOver && format !== 'parquet'
      ? `The export cannot be resumed. To start over with the current state:\n${again(' --restart')}`
      : resume()
  return new CliError(error.message, exitCodes.failed, { cause: error, hint })
}
