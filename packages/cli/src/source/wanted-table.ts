// A table of a PostgreSQL database, where a command otherwise takes a file.
import { refusePassword } from '../access/refuse-password.ts'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'

const sourceVariable = 'OCTAVO_SOURCE_URL'

export const tableOption = [
  '--from-table <TABLE>',
  'read this table or view of a PostgreSQL database, instead of a file',
] as const
export const sourceOption = [
  '--source-url <URL>',
  `the database of --from-table, without a password (default: ${sourceVariable})`,
] as const

export interface TableFlags {
  readonly fromTable?: string
  readonly sourceUrl?: string
  /** Of a file. */
  readonly format?: string
}

export interface WantedTable {
  readonly name: string
  readonly databaseUrl: string
  /** The flags that name the same table to another command. */
  readonly flags: readonly string[]
}

/** Undefined if files are given; one of both must be. */
export async function wantedTable(
  files: readonly string[],
  { fromTable, sourceUrl, format }: TableFlags,
  { environment }: Pick<CommandContext, 'environment'>,
): Promise<WantedTable | undefined> {
  if (fromTable === undefined) {
    if (sourceUrl !== undefined) throw wrongUse('Which table of --source-url? Name it with --from-table.')
    if (files.length === 0) throw wrongUse('Give a file, or a table of PostgreSQL with --from-table TABLE.')
    return undefined
  }
  const [file] = files
  if (file !== undefined) throw wrongUse(`Give a file (${file}) or --from-table ${fromTable}, not both.`)
  if (format !== undefined)
    throw wrongUse('--format is the format of a file: leave it out with --from-table.')
  await refusePassword(sourceUrl, { flag: '--source-url', variable: sourceVariable })
  const databaseUrl = sourceUrl ?? (environment[sourceVariable] || undefined)
  if (databaseUrl === undefined) {
    throw wrongUse(
      `Which database has the table ${fromTable}? Give --source-url postgres://USER@HOST/DATABASE, or set ${sourceVariable}.`,
    )
  }
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) {
    throw wrongUse(
      `${sourceUrl === undefined ? sourceVariable : '--source-url'} must be of the form postgres://USER@HOST/DATABASE.`,
    )
  }
  const flags = ['--from-table', fromTable, ...(sourceUrl === undefined ? [] : ['--source-url', sourceUrl])]
  return { name: fromTable, databaseUrl, flags }
}
