// What `octavo init` says: what it guessed and why, and what to type next.
import { amountText, countText } from '../output/numbers.ts'
import { formatTable } from '../output/format-table.ts'
import type { Output } from '../output/output.ts'
import { typeText } from '../definitions/type-text.ts'
import { leftOutText } from './columns-of-table.ts'
import type { Draft, Guess } from './draft-definition.ts'
import type { Survey } from './survey-file.ts'

export function draftTable(
  { guesses }: Draft,
  { columns, style }: Pick<Output, 'columns' | 'style'>,
): string {
  const rows = guesses.map((guess) => [guess.property, typeText(guess.type), useOf(guess), guess.shortWhy])
  return formatTable(
    { columns: [{ title: 'PROPERTY' }, { title: 'TYPE' }, { title: 'USE' }, { title: 'WHY' }], rows },
    { width: columns(), style },
  )
}

function useOf({ isKey, definition: { required, searchable, sortable } }: Guess): string {
  if (isKey) return 'key'
  const uses = [required && 'required', searchable && 'search', sortable && 'sort']
  return uses.filter((use) => typeof use === 'string').join(', ') || '-'
}

export const surveyText = (file: string, { rows, isWhole }: Survey): string =>
  isWhole
    ? `Looked at ${amountText(rows, 'row')} of ${file}, all of them.\n`
    : `Looked at the first ${countText(rows)} rows of ${file}; what follows them may not fit (--rows looks at more).\n`

/** What a load will not do as one might expect. */
export function warnings({ unreadable }: Survey, { key, leftOut }: Draft): string {
  const lines = [
    ...leftOut.map(leftOutText),
    unreadable.rows > 0 &&
      `${amountText(unreadable.rows, 'row')} cannot be read, the first on line ${unreadable.firstLine}: a load will reject them and say why.`,
    key.repeated > 0 &&
      `${amountText(key.repeated, 'row')} ${key.repeated === 1 ? 'has' : 'have'} the same ${key.column.property} as an earlier one: a load keeps the last of them.`,
  ]
  return lines.map((line) => (line === false ? '' : `${line}\n`)).join('')
}

export interface NextCommands {
  readonly apply: readonly string[]
  readonly load: readonly string[]
  readonly look: readonly string[]
}

export function nextCommands(
  { content, guesses }: Draft,
  names: {
    readonly out: string
    /** The words that tell a load what to read. */
    readonly source: readonly string[]
  },
): NextCommands {
  const objectType = content.objectTypes?.[0]?.apiName ?? ''
  const dated = guesses.find(
    ({ type, definition }) => definition.sortable && (type === 'date' || type === 'timestamp'),
  )
  const sorted = dated ?? guesses.find(({ definition }) => definition.sortable)
  const order =
    sorted === undefined ? [] : ['--order-by', `${sorted.property}:${dated === undefined ? 'asc' : 'desc'}`]
  return {
    apply: ['apply', '-f', names.out],
    load: ['load', objectType, ...names.source],
    look: ['list', objectType, ...order, '--limit', '10'],
  }
}

/** `ontology` is the one that the user named by a flag, which the other commands then need too. */
export const commandText = (words: readonly string[], ontology: string | undefined): string =>
  `  octavo ${[...words, ...(ontology === undefined || words[0] === 'apply' ? [] : ['--ontology', ontology])].map(quoted).join(' ')}\n`

const quoted = (word: string): string =>
  /^[A-Za-z0-9_./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
