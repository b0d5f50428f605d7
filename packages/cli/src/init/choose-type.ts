// The type of a column: the narrowest that takes every value, as a load sends it. In doubt it is a string, which loses
// nothing.
import type { PropertyType } from '@octavo/protocol'
import { componentNamePattern, limits, type ScalarType } from '@octavo/protocol/vocabulary'
import { countText } from '../output/numbers.ts'
import type { RecordFormat } from '../records/read-records.ts'
import type { ColumnFacts, ItemFacts } from './column-facts.ts'
import { scalarFacts, type ScalarFacts } from './scalar-facts.ts'

export interface ChosenType<Type = PropertyType> {
  readonly type: Type
  readonly why: string
}

/** What no type can hold; the end of a sentence that begins with the name of the column. */
export interface NoType {
  readonly problem: string
}

export function chooseType(facts: ColumnFacts, format: RecordFormat): ChosenType | NoType {
  const { item, arrays, elements, unfit } = facts
  if (facts.values === 0) return { type: 'string', why: 'no values in the file, so the type is a guess' }
  const isStructured = format === 'csv' ? facts.cellsAreJson : arrays + item.objects > 0
  if (!isStructured) return format === 'csv' ? typeOfCells(item.scalars) : typeOfJson(item.scalars)
  if (unfit !== undefined) {
    return { problem: `${unfit.problem} on line ${unfit.line}, which no type can hold: write it flat` }
  }
  if (arrays > 0 && item.objects === 0 && (format === 'csv' || item.scalars.values === 0)) {
    const chosen = typeOfItem(elements)
    return 'problem' in chosen ? chosen : { type: { array: chosen.type }, why: `lists: ${chosen.why}` }
  }
  if (arrays > 0) return { problem: 'is sometimes a list and sometimes not: make it a list on every line' }
  // The cells themselves were noted as texts.
  return typeOfItem(format === 'csv' ? { ...item, scalars: scalarFacts() } : item)
}

type ItemType = Exclude<PropertyType, { array: unknown }>

function typeOfItem({ scalars, objects, components }: ItemFacts): ChosenType<ItemType> | NoType {
  if (objects === 0) {
    return scalars.values === 0
      ? { type: 'string', why: 'all empty, so the type is a guess' }
      : typeOfJson(scalars)
  }
  if (scalars.values > 0)
    return { problem: 'is sometimes an object and sometimes not: make it one or the other' }
  if (components.size === 0) return { problem: 'has only empty objects: remove it' }
  if (components.size > limits.definition.structComponents) {
    return {
      problem: `has objects with ${components.size} different members, and the maximum is ${limits.definition.structComponents}: make it a list of names and values`,
    }
  }
  const struct: Record<string, { type: ScalarType }> = {}
  for (const [name, facts] of components) {
    if (!new RegExp(componentNamePattern).test(name)) {
      return { problem: `has the member "${name}", which is not a name that the service takes: rename it` }
    }
    const chosen = typeOfJson(facts)
    if ('problem' in chosen) return { problem: `has the member ${name}, which ${chosen.problem}` }
    struct[name] = { type: chosen.type }
  }
  return { type: { struct }, why: `objects with ${[...components.keys()].join(', ')}` }
}

/** A double holds this many digits exactly. */
const exactDigits = 15

function typeOfCells(facts: ScalarFacts): ChosenType<ScalarType> {
  const { values, texts, mostDigits } = facts
  if (texts.boolean === values) return { type: 'boolean', why: 'only true and false' }
  if (texts.date === values) return { type: 'date', why: 'only dates' }
  if (texts.timestamp === values) return { type: 'timestamp', why: 'only times with a zone' }
  if (numbersIn(facts) < values) return { type: 'string', why: whyString(facts) }
  if (texts.exponent > 0) {
    return mostDigits <= exactDigits
      ? { type: 'double', why: 'numbers, some with an exponent' }
      : { type: 'string', why: 'numbers with an exponent and more digits than a double holds' }
  }
  if (texts.decimal > 0) return { type: 'decimal', why: 'numbers with decimals, kept exactly' }
  if (texts.digits > 0) return { type: 'decimal', why: 'whole numbers too large for a long' }
  return texts.long > 0
    ? { type: 'long', why: 'whole numbers, some beyond 32 bits' }
    : { type: 'integer', why: 'whole numbers' }
}

function typeOfJson(facts: ScalarFacts): ChosenType<ScalarType> | NoType {
  const { values, numbers, booleans, texts } = facts
  const numberCount = numbers.integer + numbers.long + numbers.rounded + numbers.other
  const textCount = values - numberCount - booleans
  const longs = texts.integer + texts.long
  const decimals = longs + texts.digits + texts.decimal
  if (booleans === values) return { type: 'boolean', why: 'only true and false' }
  if (numberCount === values) {
    if (numbers.rounded > 0 && numbers.other === 0) {
      return {
        problem: 'holds whole numbers beyond 2^53, which readers of JSON round: write them as strings',
      }
    }
    if (numbers.other > 0) return { type: 'double', why: 'numbers, not all of them whole' }
    return numbers.long > 0
      ? { type: 'long', why: 'whole numbers, some beyond 32 bits' }
      : { type: 'integer', why: 'whole numbers' }
  }
  if (booleans === 0 && numberCount > 0 && numbers.rounded + numbers.other === 0) {
    if (longs === textCount) return { type: 'long', why: 'whole numbers, some written as strings' }
    if (decimals === textCount) return { type: 'decimal', why: 'numbers, some written as strings' }
  }
  if (textCount < values) {
    const kinds = [numberCount > 0 && 'numbers', booleans > 0 && 'booleans', textCount > 0 && 'strings']
    return {
      problem: `holds ${kinds.filter((kind) => kind !== false).join(' and ')}, and no type takes both: write all of them as strings`,
    }
  }
  if (texts.date === values) return { type: 'date', why: 'only dates' }
  if (texts.timestamp === values) return { type: 'timestamp', why: 'only times with a zone' }
  // Programs write a number as a string for a reason. These are the reasons for which one of our types serves as well.
  if (longs === values && facts.beyondSafe > 0) {
    return { type: 'long', why: 'whole numbers, some beyond 2^53 and so written as strings' }
  }
  if (decimals === values && texts.decimal > 0)
    return { type: 'decimal', why: 'numbers written as strings to be exact' }
  return {
    type: 'string',
    why: numbersIn(facts) === values ? 'numbers that the file writes as strings' : whyString(facts),
  }
}

const numbersIn = ({ texts }: ScalarFacts): number =>
  texts.integer + texts.long + texts.digits + texts.decimal + texts.exponent

function whyString(facts: ScalarFacts): string {
  const { values, texts, paddedNumbers, otherDates, firstWord } = facts
  const numbers = numbersIn(facts)
  if (paddedNumbers > 0 && paddedNumbers + numbers >= values / 2) {
    return 'numbers with leading zeros or a plus sign, which a number would lose'
  }
  if (otherDates > values / 2) {
    return 'dates in a form that the service does not take (it takes 2024-12-31 and 2024-12-31T23:59:59Z)'
  }
  if (texts.date + texts.timestamp === values) return 'dates with and without a time'
  const but =
    firstWord === undefined
      ? ''
      : `, but also ${JSON.stringify(shown(firstWord.text))} (line ${firstWord.line})`
  if (but !== '' && numbers >= values / 2) return `${countText(numbers)} numbers${but}`
  const dates = texts.date + texts.timestamp
  if (but !== '' && dates >= values / 2) return `${countText(dates)} dates or times${but}`
  return 'text'
}

const shown = (text: string): string => (text.length <= 20 ? text : `${text.slice(0, 19)}…`)
