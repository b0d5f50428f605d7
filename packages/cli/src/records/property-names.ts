// The property that a column of a file is meant for. `octavo init` declares these names, and a load finds them again by the
// same rule, so a file whose header says `Order ID` loads into `orderId` as it is.
import { limits } from '@octavo/protocol/vocabulary'

const isCamelCase = /^[a-z][A-Za-z0-9]*$/
/** `Order`, `orderId` as `order Id`, `XMLFile` as `XML File`, `2024`. */
const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/**
 * One name for each column, in camel case, none twice; names that differ only in case are the same name. A column that has
 * such a name already keeps it.
 */
export function propertyNames(columns: readonly string[]): readonly string[] {
  const kept = new Map<string, number>()
  for (const [i, column] of columns.entries()) {
    const folded = column.toLowerCase()
    if (camelCase(column) === column && column !== '' && !kept.has(folded)) kept.set(folded, i)
  }
  const taken = new Set(kept.keys())
  return columns.map((column, i) => {
    if (kept.get(column.toLowerCase()) === i) return column
    const name = camelCase(column) || `column${i + 1}`
    let free = name
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}${number}`
    taken.add(free.toLowerCase())
    return free
  })
}

/** Empty if nothing of the text can be part of a name. */
export function camelCase(text: string): string {
  const trimmed = text.trim()
  if (isCamelCase.test(trimmed)) return shortened(trimmed)
  // Without its accents a letter is one that an API name may have.
  const plain = trimmed.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const [first = '', ...others] = plain.match(words) ?? []
  const name = [first.toLowerCase(), ...others.map(capitalised)].join('')
  return shortened(/^[0-9]/.test(name) ? `column${name}` : name)
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()

/** Leaves room for a number that tells it from another. */
const shortened = (name: string): string => name.slice(0, limits.definition.nameCharacters - 8)
