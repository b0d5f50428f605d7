import type { LinkedQuery, Query } from '@octavo/protocol'

/** The conditions of a query that follow a link, without those inside them. */
export function linkedQueries(query: Query): readonly LinkedQuery[] {
  switch (query.type) {
    case 'linked':
      return [query]
    case 'and':
    case 'or':
      return query.value.flatMap(linkedQueries)
    case 'not':
      return linkedQueries(query.value)
    default:
      return []
  }
}
