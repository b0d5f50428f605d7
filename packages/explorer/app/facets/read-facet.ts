import type { Query } from '@octavo/client'
import { octavo } from '../service/api.ts'
import { facetOf, type Facet } from './facet.ts'

export interface FacetScope {
  readonly family: string
  readonly type: string
  readonly query: Query | undefined
  readonly snapshotToken: string
}

const mostValues = 10

export async function readFacet(
  { family, type, query, snapshotToken }: FacetScope,
  field: string,
): Promise<Facet> {
  const objects = octavo().family(family).objects(type)
  const asked = { ...(query && { query }), snapshotToken }
  // Two questions about one state.
  const [groups, all] = await Promise.all([
    objects.aggregate({
      ...asked,
      aggregation: [{ type: 'count', direction: 'DESC' }],
      groupBy: [{ type: 'exact', field, maxGroupCount: mostValues }],
    }),
    objects.aggregate({ ...asked, aggregation: [{ type: 'count' }, { type: 'exactDistinct', field }] }),
  ])
  const values = groups.data.flatMap(({ group, metrics }) => {
    const value = group[field]
    return value === null || value === undefined || typeof value === 'object'
      ? []
      : [{ value, objects: Number(metrics[0]?.value) }]
  })
  const [count = 0, distinct = 0] = all.data[0]?.metrics.map(({ value }) => Number(value)) ?? []
  return facetOf(values, { count, distinct, excluded: groups.excludedItems ?? 0 })
}
