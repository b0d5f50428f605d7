// An export starts new or resumes; the command never guesses which.
import { dirname, resolve } from 'node:path'
import { wrongUse } from '../base/cli-error.ts'
import { amountText } from '../output/numbers.ts'
import { exportFiles } from './export-files.ts'
import { objectsOf, readExportState, removeExportState, type ExportState } from './export-state.ts'

export interface WantedBeginning {
  /** The name to show. */
  readonly out: string
  /** The file to write. */
  readonly path: string
  readonly statePath: string
  readonly fresh: ExportState
  readonly how: 'start' | 'resume' | 'restart'
}

/** The state to continue from, which has no partitions yet if the export is new. Removes the files that it discards. */
export async function beginExport(wanted: WantedBeginning): Promise<ExportState> {
  const { out, path, statePath, fresh, how } = wanted
  const found = await readExportState(statePath)
  if (found === undefined) return fresh
  if (found !== null && found.out !== fresh.out) {
    const other = resolve(dirname(statePath), found.out)
    throw wrongUse(
      `${statePath} is of an export to ${other} that was not finished: finish that one, or give --out another name.`,
    )
  }
  // A file of Parquet cannot be continued, so there is nothing to choose.
  if (how === 'restart' || (how === 'start' && found?.format === 'parquet')) {
    await exportFiles(path, found?.partitions.length ?? 1).remove()
    await removeExportState(statePath)
    return fresh
  }
  if (found === null) throw wrongUse(`${statePath} is not the state of an export: start over with --restart.`)
  if (how === 'start') {
    throw wrongUse(
      `An export to ${out} was not finished: ${statePath} says it stopped after ${amountText(objectsOf(found), 'object')}. Continue with --resume, or start over with --restart.`,
    )
  }
  const changed = comparedNames.filter((name) => found[name] !== fresh[name])
  if (changed.length === 0) return found
  throw wrongUse(
    `The export to ${out} in ${statePath} cannot be resumed: it was started with another ${changed.map((name) => words[name] ?? name).join(' and another ')}. Repeat the command as it was, or start over with --restart.`,
  )
}

const comparedNames = [
  'url',
  'ontologyRid',
  'objectType',
  'format',
  'header',
  'escapesFormulas',
  'query',
  'at',
] as const

const words: Readonly<Partial<Record<(typeof comparedNames)[number], string>>> = {
  header: 'set of properties',
  escapesFormulas: '--escape-formulas',
  at: 'snapshot token',
}
