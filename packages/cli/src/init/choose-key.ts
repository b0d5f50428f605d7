// The primary key: a column in which every row has a different value.
import { limits, primaryKeyTypes } from '@octavo/protocol/vocabulary'
import { wrongUse } from '../base/cli-error.ts'
import { amountText, countText } from '../output/numbers.ts'
import type { GuessedColumn } from './guessed-column.ts'
import { keyRank, notLikeAKey } from './key-names.ts'

export interface ChosenKey {
  readonly column: GuessedColumn
  readonly why: string
  /** Rows whose key another row has too; more than none only if the user chose the column. */
  readonly repeated: number
}

export interface KeyQuestion {
  readonly file: string
  readonly objectType: string
  readonly rows: number
  /** The column or property that the user named. */
  readonly wanted: string | undefined
  /** What a table declares. */
  readonly declared?: DeclaredKeys | undefined
}

export interface DeclaredKeys {
  readonly primaryKey: readonly string[]
  /** Columns that have a unique index and no nulls. */
  readonly unique: readonly string[]
}

export function chooseKey(columns: readonly GuessedColumn[], question: KeyQuestion): ChosenKey {
  if (question.wanted !== undefined) return wantedKey(columns, question.wanted, question)
  const declared = declaredKey(columns, question)
  if (declared !== undefined) return declared
  // Without rows, every column seems unique.
  if (question.rows === 0) throw noKey([], question)
  const rank = ({ facts, type }: GuessedColumn): number =>
    keyRank(facts.column, question.objectType) + (type === 'date' ? 1 : 0)
  const candidates = columns
    .filter((column) => flawOf(column) === undefined && isUnique(column))
    // Two spellings of one moment are one key, and only the texts were compared.
    .filter(({ type }) => type !== 'timestamp')
  const [best] = candidates.toSorted((a, b) => rank(a) - rank(b))
  if (best === undefined) throw noKey(columns, question)
  const named = rank(best) < notLikeAKey ? 'named like a key' : 'the first column without repeated values'
  const others = candidates.filter((other) => other !== best).map(({ property }) => property)
  const also = others.length === 0 ? '' : `; so could be ${others.slice(0, 3).join(', ')}`
  const all = countText(question.rows)
  return { column: best, why: `${all} of ${all} values are unique; ${named}${also}`, repeated: 0 }
}

function declaredKey(columns: readonly GuessedColumn[], { declared }: KeyQuestion): ChosenKey | undefined {
  if (declared === undefined) return undefined
  const { primaryKey, unique } = declared
  const find = (wanted: string) =>
    columns.find((column) => column.facts.column === wanted && flawOf(column) === undefined)
  const [only, ...others] = primaryKey
  const primary = only === undefined || others.length > 0 ? undefined : find(only)
  if (primary !== undefined) return { column: primary, why: 'the primary key of the table', repeated: 0 }
  const column = unique.map(find).find((found) => found !== undefined)
  return column && { column, why: 'the table declares it unique and not null', repeated: 0 }
}

function wantedKey(columns: readonly GuessedColumn[], wanted: string, question: KeyQuestion): ChosenKey {
  const column = columns.find(({ property, facts }) => facts.column === wanted || property === wanted)
  if (column === undefined) {
    const there = columns.map(({ facts }) => facts.column).join(', ')
    throw wrongUse(
      wanted.includes(',')
        ? `--key takes one column, because a key is one property: join the columns ${wanted} into one in the file.`
        : `--key: ${question.file} has no column ${wanted}; it has ${there}.`,
    )
  }
  const flaw = flawOf(column)
  if (flaw !== undefined) throw wrongUse(`--key: ${column.facts.column} cannot be the key: ${flaw}.`)
  const repeated = column.facts.distinct.repeated()
  const why = repeated === 0 ? 'all values are unique' : repeatedText(column)
  return { column, why: `chosen with --key; ${why}`, repeated }
}

const isUnique = ({ facts: { distinct } }: GuessedColumn): boolean =>
  distinct.isExact() && distinct.repeated() === 0

/** Why a load would refuse rows with this key. */
function flawOf({ type, missing, facts }: GuessedColumn): string | undefined {
  const { mostBytes, emptyTexts } = facts.item.scalars
  if (!primaryKeyTypes.some((known) => known === type)) {
    return `it holds values of the type ${typeof type === 'string' ? type : 'list or object'}, and a key is a ${primaryKeyTypes.join(', ')}`
  }
  if (missing > 0) return `it has no value in ${amountText(missing, 'row')}`
  if (type === 'string' && emptyTexts > 0) return `it is empty in ${amountText(emptyTexts, 'row')}`
  if (type === 'string' && mostBytes > limits.value.primaryKeyBytes) {
    return `its longest value has ${countText(mostBytes)} bytes, and the maximum is ${countText(limits.value.primaryKeyBytes)}`
  }
  return undefined
}

const repeatedText = ({ facts: { distinct } }: GuessedColumn): string =>
  `${distinct.isExact() ? '' : 'at least '}${amountText(distinct.repeated(), 'row')} ${distinct.repeated() === 1 ? 'repeats' : 'repeat'} the value of an earlier one`

/** How many are named in the error. */
const mostShown = 3

function noKey(columns: readonly GuessedColumn[], question: KeyQuestion) {
  const { file, rows, declared } = question
  const defects = ({ missing, facts: { distinct } }: GuessedColumn): number => missing + distinct.repeated()
  const closest = columns
    .filter(({ type, facts }) => primaryKeyTypes.some((known) => known === type) && facts.values > 0)
    .toSorted(
      (a, b) =>
        Number(b.facts.distinct.isExact()) - Number(a.facts.distinct.isExact()) || defects(a) - defects(b),
    )
    .slice(0, mostShown)
  const [first] = closest
  const candidates = closest.map((column) => {
    const repeats = column.facts.distinct.repeated() > 0 ? repeatedText(column) : undefined
    const why = [repeats, flawOf(column)].filter((text) => text !== undefined).join('; ')
    return `  ${column.facts.column}: ${why || 'repeated values were not looked for in all rows'}\n`
  })
  const choose =
    first === undefined || flawOf(first) !== undefined
      ? ''
      : `\nIf rows with the same ${first.facts.column} are the same object, add --key '${first.facts.column}'; a load keeps the last of them.`
  const add =
    declared === undefined
      ? 'Add a column that tells every row from all others, for example by joining several columns.'
      : viewAdvice(question, declared)
  if (rows === 0) {
    return wrongUse(`${file} has no rows and declares no key of one column: name one with --key. ${add}`)
  }
  return wrongUse(
    `${file} has no column that could be the key: none has a different value in each of the ${countText(rows)} rows.
${candidates.length === 0 ? '' : `The closest are\n${candidates.join('')}`}${add}${choose}`,
  )
}

/** A table cannot be edited like a file, but a view of it can be read. */
function viewAdvice({ file }: KeyQuestion, { primaryKey }: DeclaredKeys): string {
  const sql = (name: string): string =>
    /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
  const isJoined = primaryKey.length > 1
  const why = isJoined ? `Its primary key has ${primaryKey.length} columns, and a key is one property. ` : ''
  const joined = isJoined ? primaryKey.map(sql).join(', ') : 'COLUMN, COLUMN'
  return `${why}Make a view that joins the columns that tell every row from all others, and give its name:
  create view NAME as select concat_ws('/', ${joined}) as key, * from ${file};`
}
