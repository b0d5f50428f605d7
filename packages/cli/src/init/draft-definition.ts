// From what the columns hold to a definition, with the reason for each guess.
import type { DefinitionFile, OntologyDefinition, PropertyDefinition, PropertyType } from '@octavo/protocol'
import { apiNamePattern, limits } from '@octavo/protocol/vocabulary'
import type { SourceTable } from '@octavo/service'
import { wrongUse } from '../base/cli-error.ts'
import { writeDefinitionFile } from '../definitions/write-definition-file.ts'
import { amountText, countText } from '../output/numbers.ts'
import { camelCase, propertyNames } from '../records/property-names.ts'
import type { RecordFormat } from '../records/read-records.ts'
import { chooseIndexes, type ChosenIndex } from './choose-indexes.ts'
import { chooseKey, type ChosenKey } from './choose-key.ts'
import { chooseTitle } from './choose-title.ts'
import { chooseType } from './choose-type.ts'
import type { GuessedColumn } from './guessed-column.ts'
import type { Survey } from './survey-file.ts'
import {
  columnsOfTable,
  declaredKeys,
  leftOutText,
  type GuessedColumns,
  type LeftOut,
} from './columns-of-table.ts'

export interface DraftQuestion {
  /** The name of the file, for messages and the first comment. */
  readonly file: string
  readonly format: RecordFormat
  readonly objectType: string
  readonly ontology: OntologyDefinition
  /** Why it is this ontology. */
  readonly whyOntology: string
  readonly key: string | undefined
  /** What the catalog says, if the source is a table. */
  readonly table?: SourceTable | undefined
}

export interface Guess {
  readonly column: string
  readonly property: string
  readonly type: PropertyType
  readonly definition: PropertyDefinition
  readonly isKey: boolean
  /** For the comment in the file. */
  readonly why: string
  /** For a table, where there is little room. */
  readonly shortWhy: string
}

export interface Draft {
  readonly content: DefinitionFile
  readonly yaml: string
  readonly guesses: readonly Guess[]
  readonly key: ChosenKey
  /** Columns of a table that no property is made of, with the reason. */
  readonly leftOut: readonly LeftOut[]
}

export function draftDefinition(survey: Survey, question: DraftQuestion): Draft {
  const { objectType, ontology } = question
  const { columns, leftOut } = guessColumns(survey, question)
  const declared = question.table && declaredKeys(question.table)
  const key = chooseKey(columns, { ...question, rows: survey.rows, wanted: question.key, declared })
  const title = chooseTitle(columns, key.column)
  const indexes = chooseIndexes({ columns, key: key.column, title, rows: survey.rows })
  const guesses = columns.map((column): Guess => {
    const isKey = column === key.column
    const index = indexes.get(column)
    return {
      column: column.facts.column,
      property: column.property,
      type: column.type,
      definition: definitionOf(column, {
        isKey,
        index,
        isRequired: isRequired(column, survey, question.table),
      }),
      isKey,
      shortWhy: isKey ? key.why : column.why,
      why: reasons(column, { key: isKey ? key : undefined, index, rows: survey.rows }),
    }
  })
  const content: DefinitionFile = {
    ontology,
    objectTypes: [
      {
        apiName: objectType,
        displayName: displayNameOf(objectType),
        primaryKey: key.column.property,
        titleProperty: title.property,
        properties: Object.fromEntries(guesses.map(({ property, definition }) => [property, definition])),
      },
    ],
  }
  const looked = survey.isWhole
    ? `${amountText(survey.rows, 'row')}, all of them`
    : `the first ${countText(survey.rows)} rows; later ones may not fit`
  const yaml = writeDefinitionFile(content, {
    file: [
      `Guessed by octavo init from ${question.file} (${looked}).`,
      'Look at it before you apply it: names, types and the key cannot change afterwards.',
      ...leftOut.map(leftOutText),
    ].join('\n'),
    ontology: question.whyOntology,
    primaryKey: key.why,
    titleProperty: 'names an object in lists',
    properties: new Map(guesses.map(({ property, why }) => [property, why])),
  })
  return { content, yaml, guesses, key, leftOut }
}

function guessColumns(survey: Survey, question: DraftQuestion): GuessedColumns {
  const { columns, leftOut } =
    question.table === undefined
      ? { columns: columnsOfFile(survey, question), leftOut: [] }
      : columnsOfTable(survey, question.table)
  if (columns.length > limits.definition.properties) {
    throw wrongUse(
      `${question.file} has ${countText(columns.length)} columns, and a type has at most ${limits.definition.properties} properties: ${question.table === undefined ? 'remove some columns' : 'make a view of those that you need'}.`,
    )
  }
  return { columns, leftOut }
}

function columnsOfFile({ columns, rows }: Survey, { file, format }: DraftQuestion): readonly GuessedColumn[] {
  const names = columns.map(({ column }) => column)
  if (format === 'ndjson') refuseNames(names, file)
  const properties = format === 'ndjson' ? names : propertyNames(names)
  const problems: string[] = []
  const guessed = columns.flatMap((facts, i) => {
    const chosen = chooseType(facts, format)
    if ('problem' in chosen) {
      problems.push(`${facts.column} ${chosen.problem}.`)
      return []
    }
    return [{ property: properties[i] ?? '', ...chosen, missing: rows - facts.values, facts }]
  })
  if (problems.length > 0) throw wrongUse(`${file} cannot be declared as it is:\n  ${problems.join('\n  ')}`)
  return guessed
}

/** The lines of NDJSON are sent as they are, so their names must be those of the properties. */
function refuseNames(names: readonly string[], file: string): void {
  const pattern = new RegExp(apiNamePattern)
  const folded = names.map((name) => name.toLowerCase())
  const wrong = names.filter(
    (name, i) =>
      !pattern.test(name) ||
      name.length > limits.definition.nameCharacters ||
      folded.indexOf(name.toLowerCase()) !== i,
  )
  if (wrong.length === 0) return
  const shown = wrong
    .slice(0, 5)
    .map((name) => `${JSON.stringify(name)} (for example ${camelCase(name) || 'name'})`)
  throw wrongUse(
    `${file} has names that cannot be property names: ${shown.join(', ')}${wrong.length > 5 ? ' and others' : ''}. A name has letters, digits, _ and -, begins with a letter, and differs from the others not only in case. Rename them in the file, or convert it to CSV, whose headers are translated.`,
  )
}

interface Circumstances {
  readonly isKey: boolean
  readonly index: ChosenIndex | undefined
  readonly isRequired: boolean
}

function definitionOf(
  { type }: GuessedColumn,
  { isKey, index, isRequired }: Circumstances,
): PropertyDefinition {
  return {
    type,
    ...(!isKey && isRequired && { required: true }),
    ...(index?.searchable === true && { searchable: true }),
    ...(index?.sortable === true && { sortable: true }),
  }
}

/** A table says it; of a file, rows that were not looked at may have no value. */
function isRequired(
  { missing, facts }: GuessedColumn,
  { isWhole }: Survey,
  table: SourceTable | undefined,
): boolean {
  if (table !== undefined) {
    return table.columns.some(({ name, isNotNull }) => name === facts.column && isNotNull)
  }
  return missing === 0 && facts.values > 0 && isWhole
}

interface Reasons {
  readonly key: ChosenKey | undefined
  readonly index: ChosenIndex | undefined
  readonly rows: number
}

function reasons(
  { property, type, why, missing, facts }: GuessedColumn,
  { key, index, rows }: Reasons,
): string {
  const { column, distinct } = facts
  const isCounted = type === 'string' || type === 'integer' || type === 'long'
  const different =
    isCounted && distinct.isExact() && distinct.distinct() < rows / 2 && distinct.distinct() > 1
  return [
    column !== property && `column ${JSON.stringify(column)}`,
    why,
    key === undefined && different && `${countText(distinct.distinct())} different values`,
    missing > 0 && facts.values > 0 && `missing in ${amountText(missing, 'row')}`,
    index?.note,
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('; ')
    .replaceAll(/\s+/g, ' ')
}

const displayNameOf = (apiName: string): string => {
  const spaced = apiName
    .replaceAll(/[._-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, a, b) => `${a} ${String(b).toLowerCase()}`)
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1)
}
