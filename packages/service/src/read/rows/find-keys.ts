import { allOf, linkedStates, type Filter } from '../../catalog/filter/filter.ts'
import { keyColumnOf } from '../../catalog/filter/resolve-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { compileKeysQuery } from '../sql/compile-keys-query.ts'
import type { Captured } from '../token/captured-by.ts'
import { rememberClock, withEpochs, withMissedEpochs } from './history-epochs.ts'
import { readClock, requireDefinition } from './page-clock.ts'
import { requireReadable } from './require-readable.ts'
import type { RowSources } from './row-sources.ts'

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
  let read = await withEpochs(sources, { type, at }, undefined)
  for (;;) {
    const query = compileKeysQuery({ ...read, filter: wanted })
    const [first, ...found] = await sources.database.holding(type.schema).rows(query)
    const clock = requireDefinition(type, readClock(first?.['one'] ?? ''))
    requireReadable(clock, { at, type, linked: linkedStates(filter) })
    rememberClock(sources, read, clock)
    const corrected = withMissedEpochs(read, clock)
    if (corrected === undefined) return new Set(found.map(({ one }) => one ?? ''))
    read = corrected
  }
}
