// What the values of one column look like. Only counts are kept, whatever the number of values.
import { canonicalScalar } from '@octavo/service'

/** What a text can be read as. A text is of one kind only; all that is not clearly something else is a `word`. */
export type TextKind =
  'integer' | 'long' | 'digits' | 'decimal' | 'exponent' | 'boolean' | 'date' | 'timestamp' | 'word'

export interface ScalarFacts {
  values: number
  /** JSON numbers: whole ones of 32 bits, other exact whole ones, whole ones that were rounded as they were read, all others. */
  readonly numbers: { integer: number; long: number; rounded: number; other: number }
  /** JSON booleans. */
  booleans: number
  /** Strings of JSON and cells of CSV. */
  readonly texts: Record<TextKind, number>
  /** Whole numbers as text that a JSON number cannot hold exactly. */
  beyondSafe: number
  mostDigits: number
  /** Words with a leading zero or plus that would be numbers without it: codes, phone numbers. */
  paddedNumbers: number
  /** Words that only a double keeps as they are. */
  negativeZeros: number
  /** Words that people read as a date or a time, but the service does not. */
  otherDates: number
  emptyTexts: number
  mostBytes: number
  /** The first word, to be shown beside numbers or dates. */
  firstWord: { readonly text: string; readonly line: number } | undefined
}

export const scalarFacts = (): ScalarFacts => ({
  values: 0,
  numbers: { integer: 0, long: 0, rounded: 0, other: 0 },
  booleans: 0,
  texts: {
    integer: 0,
    long: 0,
    digits: 0,
    decimal: 0,
    exponent: 0,
    boolean: 0,
    date: 0,
    timestamp: 0,
    word: 0,
  },
  beyondSafe: 0,
  mostDigits: 0,
  paddedNumbers: 0,
  negativeZeros: 0,
  otherDates: 0,
  emptyTexts: 0,
  mostBytes: 0,
  firstWord: undefined,
})

export function noteNumber(facts: ScalarFacts, value: number): void {
  facts.values += 1
  if ((value | 0) === value) facts.numbers.integer += 1
  else if (Number.isSafeInteger(value)) facts.numbers.long += 1
  else if (Number.isInteger(value) && Math.abs(value) < 2 ** 64) facts.numbers.rounded += 1
  else facts.numbers.other += 1
}

export function noteBoolean(facts: ScalarFacts): void {
  facts.values += 1
  facts.booleans += 1
}

export function noteText(facts: ScalarFacts, text: string, line: number): void {
  const kind = textKind(text)
  facts.values += 1
  facts.texts[kind] += 1
  // A text of this many units cannot have more bytes than the longest so far.
  if (text.length * 3 > facts.mostBytes) facts.mostBytes = Math.max(facts.mostBytes, Buffer.byteLength(text))
  if (kind === 'long' && !Number.isSafeInteger(Number(text))) facts.beyondSafe += 1
  if (kind === 'decimal' || kind === 'digits' || kind === 'long' || kind === 'exponent') {
    facts.mostDigits = Math.max(facts.mostDigits, digitsOf(text))
  }
  if (kind !== 'word') return
  facts.firstWord ??= { text, line }
  if (text === '') facts.emptyTexts += 1
  else if (text === '-0') facts.negativeZeros += 1
  else if (paddedNumber.test(text)) facts.paddedNumbers += 1
  else if (otherDate.test(text)) facts.otherDates += 1
}

const wholeNumber = /^(?:0|-?[1-9][0-9]*)$/
const decimalNumber = /^-?(?:0|[1-9][0-9]*)\.[0-9]+$/
const exponentNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?[eE][+-]?[0-9]+$/
const paddedNumber = /^(?:\+[0-9]+|-?0[0-9]+)(?:\.[0-9]+)?$/
const otherDate =
  /^(?:[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|[0-9]{4}[./][0-9]{1,2}[./][0-9]{1,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2})/
const mostDecimalDigits = 38

export function textKind(text: string): TextKind {
  const first = text.codePointAt(0) ?? 0
  const isNumeric = first === 0x2d || (first >= 0x30 && first <= 0x39)
  if (isNumeric) return numericKind(text)
  return text.length <= 5 && /^(?:true|false)$/i.test(text) ? 'boolean' : 'word'
}

function numericKind(text: string): TextKind {
  if (wholeNumber.test(text)) return wholeKind(text)
  if (decimalNumber.test(text)) return digitsOf(text) <= mostDecimalDigits ? 'decimal' : 'word'
  if (text.length >= 10 && text[4] === '-') {
    if (text.length === 10) return isValue('date', text) ? 'date' : 'word'
    return isValue('timestamp', text) ? 'timestamp' : 'word'
  }
  return exponentNumber.test(text) && Number.isFinite(Number(text)) ? 'exponent' : 'word'
}

function wholeKind(text: string): TextKind {
  const number = Number(text)
  if ((number | 0) === number) return 'integer'
  if (Number.isSafeInteger(number) || isValue('long', text)) return 'long'
  return digitsOf(text) <= mostDecimalDigits ? 'digits' : 'word'
}

/** Whether the service takes it: the service itself is asked. */
const isValue = (type: 'date' | 'timestamp' | 'long', text: string): boolean =>
  !('problem' in canonicalScalar(type, text))

const digitsOf = (text: string): number => text.replace(/[eE].*$/, '').replaceAll(/[-.]/g, '').length
