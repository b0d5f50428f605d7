// What a definition is guessed from: a file, or a table of PostgreSQL.
import { basename, resolve } from 'node:path'
import type { SourceTable } from '@octavo/service'
import type { CommandContext } from '../base/command-context.ts'
import { delimiterText } from '../records/delimiter-option.ts'
import { openInput, type Input } from '../records/open-input.ts'
import { formatOf, type RecordFormat } from '../records/read-records.ts'
import { openTable, tableInput } from '../source/open-table.ts'
import type { WantedTable } from '../source/wanted-table.ts'
import { whyLeftOut } from './choose-column-type.ts'

export interface InitSourceOptions {
  readonly from: { readonly file: string } | WantedTable
  readonly format: RecordFormat | undefined
  readonly delimiter: string
}

export interface InitSource {
  /** For messages. */
  readonly name: string
  /** What the type is named after. */
  readonly stem: string
  readonly format: RecordFormat
  readonly delimiter: string
  readonly open: () => Promise<Input>
  /** The arguments with which `octavo load` reads the same. */
  readonly words: readonly string[]
  readonly table: SourceTable | undefined
}

export const initSource = async (context: CommandContext, options: InitSourceOptions): Promise<InitSource> =>
  'file' in options.from ? fileSource(context, options.from.file, options) : tableSource(options.from)

function fileSource(
  { currentFolder, input }: CommandContext,
  file: string,
  { format, delimiter }: InitSourceOptions,
): InitSource {
  return {
    name: file,
    stem: basename(file)
      .replace(/[.]gz$/i, '')
      .replace(/[.](?:csv|tsv|txt|ndjson|jsonl|json)$/i, ''),
    format: format ?? formatOf(file),
    delimiter,
    open: () => openInput(file, resolve(currentFolder, file), input.stream),
    words: [
      file,
      ...(format === undefined ? [] : ['--format', format]),
      ...(delimiter === ',' ? [] : ['--delimiter', delimiterText(delimiter)]),
    ],
    table: undefined,
  }
}

async function tableSource(wanted: WantedTable): Promise<InitSource> {
  const table = await openTable(wanted)
  const columns = table.columns
    .filter((column) => whyLeftOut(column) === undefined)
    .map(({ name }) => ({ name, as: name }))
  return {
    name: table.name,
    stem: table.plainName,
    format: 'csv',
    delimiter: ',',
    open: () => Promise.resolve(tableInput(table, columns)),
    words: wanted.flags,
    table,
  }
}
