// A query of ours as a condition of `@osdk/client`.
import type { Query } from '@octavo/protocol'

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
    case 'prefix':
      return on(query.field, { $startsWith: query.value })
    case 'phrase':
      return on(query.field, { $containsAllTermsInOrder: query.value })
    case 'anyTerm':
      return on(query.field, { $containsAnyTerm: query.value })
    case 'allTerms':
      return on(query.field, { $containsAllTerms: query.value })
    case 'keyword':
    case 'linked':
      return undefined
    default:
      return on(query.field, { [`$${query.type}`]: query.value })
  }
}

/** A component of a struct is a condition within the one on its property. */
function on(field: string, condition: Clause): Clause {
  const [property = '', component] = field.replace(/^properties\./, '').split(':')
  return { [property]: component === undefined ? condition : { [component]: condition } }
}
