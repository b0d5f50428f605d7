// Options are checked when they are given, so that a mistake is reported at its own line and not as a request that fails later.
import { OctavoError } from '../errors/octavo-error.ts'

/** What a value must be, as a test and in words, and the other names that an option is known by elsewhere. */
export type OptionRule = readonly [fits: (value: unknown) => boolean, expected: string, alias?: RegExp]

/** The options of a function. A text instead of a rule says why an option of that name is refused. */
export type OptionRules = Readonly<Record<string, OptionRule | string>>

export const isFunction = (value: unknown): boolean => typeof value === 'function'
export const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
export const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0
export const isWhole = (value: unknown): boolean => isNumber(value) && Number.isInteger(value)

/** An option that is undefined counts as absent. */
export function checkOptions(taker: string, options: unknown, rules: OptionRules): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const names = optionNames(rules)
    throw invalidOption('', `${taker} takes its options (${names}) as one object, but got ${shown(options)}.`)
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) throw unknownOption(taker, name, rules)
    if (typeof rule === 'string') throw invalidOption(name, rule)
    const [fits, expected] = rule
    if (value !== undefined && !fits(value)) {
      throw invalidOption(name, `\`${name}\` must be ${expected}, but is ${shown(value)}.`)
    }
  }
}

export const invalidOption = (option: string, sentence: string, didYouMean?: string): OctavoError =>
  new OctavoError({
    errorName: 'InvalidOption',
    parameters: { option, ...(didYouMean !== undefined && { didYouMean }) },
    sentence,
  })

function unknownOption(taker: string, name: string, rules: OptionRules): OctavoError {
  const meant = Object.keys(rules).find((each) => {
    const rule = rules[each]
    return each.toLowerCase() === name.toLowerCase() || (typeof rule === 'object' && rule[2]?.test(name))
  })
  const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
  return invalidOption(
    name,
    `${taker} has no option \`${name}\`.${hint} Its options are ${optionNames(rules)}.`,
    meant,
  )
}

const optionNames = (rules: OptionRules): string =>
  Object.keys(rules)
    .filter((name) => typeof rules[name] === 'object')
    .join(', ')

/** Short, for the message of an error. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value === ''
      ? 'an empty text'
      : JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)
  }
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Promise) return 'a Promise'
  return typeof value === 'object' && value !== null
    ? 'an object'
    : isFunction(value)
      ? 'a function'
      : String(value)
}
