// What the records of a load are read from: a file, standard input, or a table of PostgreSQL.
import { resolve } from 'node:path'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { CommandContext } from '../base/command-context.ts'
import { openInput, type Input } from '../records/open-input.ts'
import { formatOf, type RecordFormat } from '../records/read-records.ts'
import { inputFor, openTable } from './open-table.ts'
import type { WantedTable } from './wanted-table.ts'

/** The name of a file, `-` for standard input, or a table. */
export type Source = string | WantedTable

/** Undefined if it is not a file, and so cannot be resumed. */
export const fileOf = (source: Source): string | undefined =>
  typeof source === 'string' && source !== '-' ? source : undefined

/** The words that name the source in a command. */
export const sourceWords = (source: Source): readonly string[] =>
  typeof source === 'string' ? [source] : source.flags

export interface SourceForm {
  readonly format?: RecordFormat | undefined
  readonly delimiter: string
}

export interface OpenedSource {
  readonly input: Input
  readonly format: RecordFormat
  readonly delimiter: string
}

export async function openSource(
  { currentFolder, input: { stream }, output }: CommandContext,
  source: Source,
  definition: ObjectTypeDefinition,
  { format, delimiter }: SourceForm,
): Promise<OpenedSource> {
  if (typeof source !== 'string') {
    const input = inputFor(await openTable(source), definition, output.note)
    return { input, format: 'csv', delimiter: ',' }
  }
  const input = await openInput(source, resolve(currentFolder, source), stream)
  return { input, format: format ?? formatOf(source), delimiter }
}
