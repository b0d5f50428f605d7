/** The operators of filter parameters: `properties.{property}.{operator}={value}`. */
export const propertyFilterOperators = {
  eq: 'Equal to the value; if repeated, to any of the values.',
  neq: 'Not equal to the value; if repeated, to none of the values.',
  lt: 'Less than the value.',
  lte: 'Less than or equal to the value.',
  gt: 'Greater than the value.',
  gte: 'Greater than or equal to the value.',
  isNull: 'true: has no value; false: has one.',
  contains: 'An array that contains the value; if repeated, any of the values.',
} as const

export type PropertyFilterOperator = keyof typeof propertyFilterOperators

/**
 * The name of a filter parameter. A property name may contain dots, so the operator is what follows the last dot. `p.` is
 * short for `properties.`.
 */
export const propertyFilterPattern = '^(?:properties|p)\\.(?<property>.+)\\.(?<operator>[^.]+)$'

export interface PropertyFilterName {
  readonly property: string
  readonly operator: PropertyFilterOperator
}

const filterName = new RegExp(propertyFilterPattern)

/** Parses the name of a query parameter as a filter; undefined if it does not have the form of one. */
export function parsePropertyFilterName(name: string): PropertyFilterName | undefined {
  const groups = filterName.exec(name)?.groups
  const property = groups?.['property']
  const operator = groups?.['operator']
  if (property === undefined || operator === undefined || !isOperator(operator)) return undefined
  return { property, operator }
}

function isOperator(text: string): text is PropertyFilterOperator {
  return Object.hasOwn(propertyFilterOperators, text)
}
