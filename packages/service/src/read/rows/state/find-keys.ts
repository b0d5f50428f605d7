import { allOf, linkedStates, type Filter } from '../../../catalog/filter/filter.ts'
import { keyColumnOf } from '../../../catalog/filter/resolve-filter.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { compileKeysQuery } from '../../sql/compile-object-query.ts'
import type { Captured } from '../../token/walk.ts'
import { clockOf } from './page-clock.ts'
import type { RowSources } from './row-sources.ts'
import { proven, stateReader } from './state-reader.ts'

export interface WantedKeys {
  readonly keys: readonly string[]
  readonly filter: Filter
  readonly at: Captured
}

/** The filter for objects with these keys. */
export const withKeys = (type: ObjectType, keys: readonly string[]): Filter => ({
  kind: 'one-of',
  column: keyColumnOf(type),
  values: keys,
})

/** Which of the keys have an object that matches the filter in this state. */
export async function findKeys(
  sources: RowSources,
  type: ObjectType,
  { keys, filter, at }: WantedKeys,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const wanted = allOf([withKeys(type, keys), filter])
  const state = stateReader(sources, { at, type, linked: linkedStates(filter) })
  const { found } = await proven(state, async (read) => {
    const query = compileKeysQuery({ type, at: read, filter: wanted })
    const [first, ...others] = await sources.database.holding(type.schema).rows(query)
    return { clock: clockOf(type, first?.['one']), found: others }
  })
  return new Set(found.map(({ one }) => one ?? ''))
}
