// A query of ours as a condition of `@osdk/client`.
import type { Query, QueryOperator } from '@octavo/protocol'

export type Clause = Readonly<Record<string, unknown>>

/** Undefined if the client cannot say it: it has no condition on terms of all properties, and none on linked objects. */
export function clauseOfQuery(query: Query): Clause | undefined {
  switch (query.type) {
    case 'empty':
      return {}
    case 'and':
    case 'or': {
      const parts = query.value.map(clauseOfQuery)
      return parts.includes(undefined) ? undefined : { [`$${query.type}`]: parts }
    }
    case 'not': {
      const inner = clauseOfQuery(query.value)
      return inner === undefined ? undefined : { $not: inner }
    }
    case 'keyword':
    case 'linked':
      return undefined
    default: {
      const condition = conditions[query.type]
      return condition === undefined ? undefined : on(query.field, { [condition]: query.value })
    }
  }
}

const conditions: Readonly<Partial<Record<QueryOperator, string>>> = {
  eq: '$eq',
  lt: '$lt',
  lte: '$lte',
  gt: '$gt',
  gte: '$gte',
  in: '$in',
  isNull: '$isNull',
  contains: '$contains',
  prefix: '$startsWith',
  phrase: '$containsAllTermsInOrder',
  anyTerm: '$containsAnyTerm',
  allTerms: '$containsAllTerms',
}

/** A component of a struct is a condition within the one on its property. */
function on(field: string, condition: Clause): Clause {
  const [property = '', component] = field.replace(/^properties\./, '').split(':')
  return { [property]: component === undefined ? condition : { [component]: condition } }
}
