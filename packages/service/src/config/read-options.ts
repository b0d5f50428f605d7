import { nearestName } from '@octavo/protocol'
import { carriesPassword } from './carries-password.ts'
import {
  environmentVariableOf,
  flagOf,
  serveOptions,
  type Option,
  type OptionTable,
  type ValuesOf,
} from './options.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type ReadOptions<Table extends OptionTable> =
  | { readonly kind: 'read'; readonly options: ValuesOf<Table> }
  | { readonly kind: 'help-asked' }
  /** One sentence for each problem, for the person who started the service. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

type ReadOption =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly sentence: string }

export const readOptions = <Table extends OptionTable>(
  table: Table,
  argv: readonly string[],
  environment: Environment,
): ReadOptions<Table> => {
  const uses = splitFlags(argv)
  if (uses.some(({ flag }) => flag === '--help')) return { kind: 'help-asked' }

  const problems = [...unknownFlags(table, uses), ...unknownVariables(environment)]
  const values: Record<string, unknown> = {}
  for (const [key, option] of Object.entries(table)) {
    const read = readOption(option, uses, environment)
    if (read.kind === 'problem') problems.push(read.sentence)
    else values[key] = read.value
  }
  problems.push(...lonelyOptions(table, values))
  if (problems.length > 0) return { kind: 'refused', problems }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key was parsed by its own type just above
  return { kind: 'read', options: values as ValuesOf<Table> }
}

/** A flag takes precedence over the environment, and the environment over the default. */
const readOption = (
  option: Option<unknown>,
  uses: readonly FlagUse[],
  environment: Environment,
): ReadOption => {
  const flag = flagOf(option)
  const variable = environmentVariableOf(option)
  const { takes, parse } = option.type

  const [use, ...repeated] = uses.filter((use) => use.flag === flag)
  if (use !== undefined && option.secret)
    return problem(`${flag} would show a secret to every user of this machine: set ${variable} instead.`)
  if (option.unprinted && carriesPassword(use?.value ?? ''))
    return problem(
      `${flag} would show a password to every user of this machine: set ${variable} instead, or leave the password out and set PGPASSWORD.`,
    )
  if (use !== undefined && use.value === undefined)
    return problem(`${flag} has no value: set it to ${takes}.`)
  if (repeated.length > 0) return problem(`${flag} is given twice: keep one of them.`)

  // Compose files and CI systems pass an unset variable as an empty one.
  const text = use?.value ?? (environment[variable] || option.default)
  if (text === undefined) {
    const where = option.secret ? variable : `${variable} or ${flag}`
    return problem(`The option ${option.name} is missing: set ${where} to ${takes}.`)
  }
  const value = parse(text)
  if (value !== undefined) return { kind: 'value', value }
  const shown = option.secret || option.unprinted ? '' : `, not "${text}"`
  return problem(`${use === undefined ? variable : flag} must be ${takes}${shown}.`)
}

/** Finds options that only make sense together of which one was left empty. */
const lonelyOptions = (table: OptionTable, values: Readonly<Record<string, unknown>>): string[] => {
  const empty = new Set(
    Object.entries(table).flatMap(([key, { name }]) => (isEmpty(values[key]) ? [name] : [])),
  )
  return Object.values(table).flatMap(({ name, togetherWith }) =>
    togetherWith !== undefined && !empty.has(name) && empty.has(togetherWith)
      ? [`The option ${name} is set without ${togetherWith}: set both or neither.`]
      : [],
  )
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

const problem = (sentence: string): ReadOption => ({ kind: 'problem', sentence })

const unknownFlags = (table: OptionTable, uses: readonly FlagUse[]): string[] => {
  const known = new Set(Object.values(table).map(flagOf))
  const suggested = Object.values(table)
    .filter(({ secret }) => !secret)
    .map(flagOf)
  return uses
    .filter(({ flag }) => !known.has(flag))
    .map(({ flag }) => `Unknown option "${flag}"${meant(flag, suggested)} See --help for all options.`)
}

// All variables of ours are known here, including those that migrate does not use: both may run in one environment.
const unknownVariables = (environment: Environment): string[] => {
  const known = Object.values(serveOptions).map(environmentVariableOf)
  return Object.keys(environment)
    .filter((name) => name.startsWith('OCTAVO_') && !known.includes(name))
    .toSorted()
    .map((name) => `Unknown environment variable ${name}${meant(name, known)} See --help for all names.`)
}

/** The prefix that all names share is not compared: it would make short names look alike. */
const meant = (wanted: string, names: readonly string[]): string => {
  const bare = (name: string): string => name.replace(/^(OCTAVO_|--)/, '')
  const near = nearestName(bare(wanted), names.map(bare))
  const found = names.find((name) => bare(name) === near) ?? names.find((name) => name.startsWith(wanted))
  return found === undefined ? ': remove it.' : `: did you mean ${found}?`
}

type FlagUse = {
  /** As written, such as --port. A stray word is put here too, and is then refused as an unknown flag. */
  readonly flag: string
  readonly value?: string
}

/** Reads both `--port 80` and `--port=80`. */
const splitFlags = (argv: readonly string[]): readonly FlagUse[] => {
  const uses: FlagUse[] = []
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const equals = word.indexOf('=')
    const next = words[0]
    if (equals > 0) {
      uses.push({ flag: word.slice(0, equals), value: word.slice(equals + 1) })
    } else if (isFlag(word) && next !== undefined && !isFlag(next)) {
      uses.push({ flag: word, value: next })
      words.shift()
    } else {
      uses.push({ flag: word })
    }
  }
  return uses
}

const isFlag = (word: string): boolean => word.startsWith('--')
