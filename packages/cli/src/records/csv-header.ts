// The first record of a CSV file names the property of each column. A column that does not fit the object type ends the load
// before anything is sent.
import { otherDelimiter } from './delimiter-option.ts'
import type { ObjectTypeDefinition, PropertyType } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'
import type { CsvRecord } from './csv-lines.ts'
import { propertyNames } from './property-names.ts'

export interface CsvColumn {
  readonly property: string
  readonly type: PropertyType
  /** `"property":`, as it is written in JSON. */
  readonly member: string
  readonly isKey: boolean
}

/**
 * What becomes of declared properties that have no column: the file is refused, they have no value afterwards, or they keep the one
 * that they have.
 */
export type MissingColumns = 'refused' | 'empty' | 'kept'

export interface CsvHeaderOptions {
  readonly definition: ObjectTypeDefinition
  readonly file: string
  readonly delimiter: string
  readonly missing: MissingColumns
}

/** An undefined header means a file without records. */
export function columnsOf(header: CsvRecord | undefined, options: CsvHeaderOptions): readonly CsvColumn[] {
  const { definition, file } = options
  if (header === undefined) {
    throw wrongUse(
      `${file} is empty: its first line must name the columns, for example ${definition.primaryKey}.`,
    )
  }
  const refuse = (problem: string) => wrongUse(`${file}, line ${header.line}: ${problem}`)
  if (header.kind !== 'cells' && /^\s*[{[]/.test(header.raw.toString('utf8', 0, 20))) {
    throw refuse('the header is JSON: if each line is an object, add --format ndjson.')
  }
  if (header.kind !== 'cells') {
    throw refuse(
      `the ${header.cell === undefined ? 'header' : `name of column ${header.cell}`} ${header.problem}.`,
    )
  }
  const names = meantProperties(
    header.cells.map(({ text }) => text),
    definition,
  )
  const unknown = names.filter((name) => !Object.hasOwn(definition.properties, name))
  if (unknown.length > 0) throw refuse(unknownColumns(unknown, names, options))
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) throw refuse(`the column ${repeated} appears twice: remove one of them.`)
  if (!names.includes(definition.primaryKey)) {
    throw refuse(
      `there is no column ${definition.primaryKey}, the primary key of ${definition.apiName}: add it.`,
    )
  }
  const missing = Object.keys(definition.properties).filter((name) => !names.includes(name))
  if (missing.length > 0 && options.missing === 'refused') throw refuse(missingColumns(missing, options))
  return names.map((property) => ({
    property,
    type: definition.properties[property]?.type ?? 'string',
    member: `${JSON.stringify(property)}:`,
    isKey: property === definition.primaryKey,
  }))
}

function missingColumns(missing: readonly string[], { definition }: CsvHeaderOptions): string {
  const which =
    missing.length === 1 ? `there is no column ${missing[0]}` : `there are no columns ${missing.join(', ')}`
  const lost = missing.length === 1 ? 'this property' : 'these properties'
  return `${which}, and a record replaces its whole object: the objects of ${definition.apiName} would lose ${lost}. To set only the columns of the file and keep the rest, use octavo load with --merge. If a missing column means that there is no value, add --columns-are-whole.`
}

/** A column is named like its property, or as people write it: `Order ID` for orderId. Any other name stays as it is. */
export function meantProperties(
  columns: readonly string[],
  { properties }: ObjectTypeDefinition,
): readonly string[] {
  const meant = propertyNames(columns)
  return columns.map((column, i) => {
    const name = meant[i] ?? column
    return !Object.hasOwn(properties, column) && Object.hasOwn(properties, name) ? name : column
  })
}

function unknownColumns(
  unknown: readonly string[],
  names: readonly string[],
  { definition, delimiter }: CsvHeaderOptions,
): string {
  const other = otherDelimiter(names, delimiter)
  if (other !== undefined) return other
  const named = unknown.map((name) => (name === '' ? '(empty)' : name)).join(', ')
  const which =
    unknown.length === 1 ? `the column ${named} is not a property` : `the columns ${named} are not properties`
  return `${which} of ${definition.apiName}, which has ${Object.keys(definition.properties).join(', ')}. Rename or remove the column, or add the property with octavo apply.`
}
