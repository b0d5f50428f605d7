// Opens a table of PostgreSQL, and reads it as a CSV file would be read.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { nearestName } from '@octavo/protocol/vocabulary'
import type { SourceFailure, SourceTable } from '@octavo/service'
import { CliError, wrongUse } from '../base/cli-error.ts'
import { meantProperties } from '../records/csv-header.ts'
import type { Input } from '../records/open-input.ts'
import type { WantedTable } from './wanted-table.ts'

export async function openTable({ name, databaseUrl }: WantedTable): Promise<SourceTable> {
  const { openSourceTable, SourceFailure } = await import('@octavo/service')
  const explained = (error: unknown) => (error instanceof SourceFailure ? explain(error, table) : error)
  let table: SourceTable | undefined
  try {
    const found = await openSourceTable(databaseUrl, name)
    if ('kind' in found) throw noTable(name, found.names)
    if (found.columns.length === 0) throw wrongUse(`The table ${found.name} has no columns.`)
    table = found
    return { ...found, read: (columns) => explaining(found.read(columns), explained) }
  } catch (error) {
    throw explained(error)
  }
}

export interface SourceColumn {
  readonly name: string
  /** What the header of the CSV calls it. */
  readonly as: string
}

/** Each read is one state of the table. */
export function tableInput(table: SourceTable, columns: readonly SourceColumn[]): Input {
  let bytesRead = 0
  return {
    name: table.name,
    size: undefined,
    isCompressed: false,
    bytesRead: () => bytesRead,
    read: async function* () {
      bytesRead = 0
      yield Buffer.from(`${columns.map(({ as }) => `"${as.replaceAll('"', '""')}"`).join(',')}\n`)
      for await (const chunk of table.read(columns.map(({ name }) => name))) {
        bytesRead += chunk.length
        yield chunk
      }
    },
  }
}

/** The columns that the type has properties for; the others are named in a note. */
export function inputFor(
  table: SourceTable,
  definition: ObjectTypeDefinition,
  note: (text: string) => void,
): Input {
  const names = table.columns.map(({ name }) => name)
  const meant = meantProperties(names, definition)
  const columns = names.map((name, i) => ({ name, as: meant[i] ?? name }))
  const has = ({ as }: SourceColumn): boolean => Object.hasOwn(definition.properties, as)
  const others = columns.filter((column) => !has(column)).map(({ name }) => name)
  if (others.length > 0) {
    note(`Left out, because ${definition.apiName} has no such property: ${others.join(', ')}.\n`)
  }
  return tableInput(table, columns.filter(has))
}

async function* explaining(
  chunks: AsyncIterable<Buffer>,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throw explained(error)
  }
}

function explain({ kind, message }: SourceFailure, table: SourceTable | undefined): CliError {
  switch (kind) {
    case 'no right':
      return new CliError(
        `The database refused to read ${table?.name ?? 'the table'} (${message}).`,
        undefined,
        table && { hint: `Its owner can allow it:\n  grant select on ${table.name} to ${table.user};` },
      )
    case 'no access':
      return wrongUse(
        `The source database refused the connection (${message}): check the user, and set PGPASSWORD or use a ~/.pgpass file.`,
      )
    case 'no database':
      return wrongUse(`The source server refused (${message}): check the name at the end of the URL.`)
    case 'other':
      return new CliError(
        `The source database failed (${message}): check that it runs, and the host and port of its URL.`,
      )
    default:
      return kind satisfies never
  }
}

/** How many are named in the error. */
const mostShown = 10

function noTable(wanted: string, names: readonly string[]): CliError {
  if (names.length === 0) {
    return wrongUse(`There is no table or view ${wanted}: the database has none that you can see.`)
  }
  // `orders` is `sales.orders` if it is in a schema that is not searched.
  const bare = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll('"', '')
      .replace(/^.*[.]/, '')
  const meant = names.find((name) => bare(name) === bare(wanted)) ?? nearestName(wanted, names)
  const shown = names.slice(0, mostShown).join(', ')
  const others = names.length > mostShown ? ` and ${names.length - mostShown} others` : ''
  return wrongUse(
    `There is no table or view ${wanted}${meant === undefined ? '.' : `; did you mean ${meant}?`} The database has ${shown}${others}.`,
  )
}
