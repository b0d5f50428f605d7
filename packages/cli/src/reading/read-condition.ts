// `--where 'department eq Maps'`: one field, one operator, one value. Several conditions must all hold.
import type { Query, ScalarValue } from '@octavo/protocol'
import {
  conditionOf,
  nearestName,
  queryOperator,
  queryOperatorNames,
  type OperandKind,
  type ScalarType,
} from '@octavo/protocol/vocabulary'
import { wrongUse } from '../base/cli-error.ts'
import { noProperty, scalarTypeOf, type TypeFacts } from './type-facts.ts'

// Another value, as in the filters of revision 1.0 (P66): what has none is not another one.
const operators = [...queryOperatorNames, 'neq'] as const
type Operator = (typeof operators)[number]

export interface Condition {
  readonly field: string
  readonly operator: Operator
  /** A single value, unless the operator takes a list. */
  readonly values: readonly ScalarValue[]
}

/** What people who know SQL write. */
const signs: Readonly<Record<string, Operator | undefined>> = {
  ...Object.fromEntries(
    queryOperatorNames.flatMap((name) => (queryOperator(name).signs ?? []).map((sign) => [sign, name])),
  ),
  '!=': 'neq',
  '<>': 'neq',
}

export const operatorNames = operators.join(', ')

export function readCondition(text: string, facts: TypeFacts): Condition {
  const [, field = '', name = '', rest] = /^\s*(\S+)\s+(\S+)(?:\s+(.*?))?\s*$/s.exec(text) ?? []
  const operator = operators.find((known) => known === name)
  if (operator === undefined) {
    const meant = signs[name] ?? nearestName(name, operators)
    if (field !== '' && meant !== undefined) {
      throw wrongUse(
        `--where '${text}': ${name} is not an operator; did you mean ${meant}? The operators are ${operatorNames}.`,
      )
    }
    throw wrongUse(
      `--where must be a field, an operator and a value, such as 'startedOn gte 2020-01-01', not '${text}'. The operators are ${operatorNames}.`,
    )
  }
  const [property = ''] = field.split(':')
  if (!facts.properties.has(property)) throw wrongUse(`--where '${text}': ${noProperty(property, facts)}`)
  if (takes(operator, 'boolean')) return { field, operator, values: [rest === undefined || rest === 'true'] }
  if (rest === undefined) throw wrongUse(`--where '${text}' has no value: add it after the operator.`)
  refuseSecondCondition(rest, text, facts)
  const type = scalarTypeOf(facts, field) ?? 'string'
  const texts = takes(operator, 'list') ? listIn(rest) : [rest]
  return { field, operator, values: texts.map((each) => valueIn(each, type, text)) }
}

/** `origin eq BER and delay gt 5` would look for a text; one that is meant can be given in quotation marks. */
function refuseSecondCondition(value: string, whole: string, facts: TypeFacts): void {
  const [, field = '', operator = ''] = /\s(?:and|or|&&|\|\|)\s+([^\s:]+)\S*\s+(\S+)/i.exec(value) ?? []
  if (!facts.properties.has(field) || value.startsWith('"')) return
  if (signs[operator] === undefined && !operators.some((known) => known === operator)) return
  throw wrongUse(
    `--where '${whole}' has more than one condition: give each its own --where, and all must hold. For one or the other, use octavo search with --query.`,
  )
}

/** Parses `[1, 2]` as JSON, or `1,2`. */
function listIn(text: string): readonly string[] {
  const parsed = parsedJson(text)
  return Array.isArray(parsed)
    ? parsed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    : text.split(',')
}

/** Parses a value, with or without quotation marks, as the type of the property requires. */
function valueIn(given: string, type: ScalarType, whole: string): ScalarValue {
  const parsed = given.startsWith('"') ? parsedJson(given) : undefined
  const text = typeof parsed === 'string' ? parsed : given
  switch (type) {
    case 'integer':
    case 'double': {
      const number = Number(text)
      if (text.trim() !== '' && Number.isFinite(number)) return number
      throw wrongUse(`--where '${whole}': the value must be of the type ${type}, not "${text}".`)
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw wrongUse(`--where '${whole}': the value must be true or false, not "${text}".`)
    case 'string':
    case 'long':
    case 'decimal':
    case 'date':
    case 'timestamp':
      return text
    default:
      return type satisfies never
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** All conditions as one query. */
export function queryOf(conditions: readonly Condition[]): Query {
  const queries = conditions.map(oneQuery)
  const [only] = queries
  if (only === undefined) return { type: 'empty' }
  return queries.length === 1 ? only : { type: 'and', value: queries }
}

function oneQuery({ field, operator, values }: Condition): Query {
  if (operator !== 'neq') return conditionOf(operator, field, values)
  return {
    type: 'and',
    value: [
      { type: 'isNull', field, value: false },
      { type: 'not', value: conditionOf('eq', field, values) },
    ],
  }
}

const takes = (operator: Operator, kind: OperandKind): boolean =>
  operator !== 'neq' && queryOperator(operator).value === kind
