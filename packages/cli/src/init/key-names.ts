import { camelCase } from '../records/property-names.ts'

/** Whether a column is named as keys are named. */
export const looksLikeKey = (column: string): boolean => keyRank(column, '') < notLikeAKey

export const notLikeAKey = 5

/** How much a name says that it is the key of its type; 0 is the most. */
export function keyRank(column: string, objectType: string): number {
  const camel = camelCase(column)
  const name = camel.toLowerCase()
  const type = objectType.toLowerCase()
  const owners =
    type === '' ? [] : [type, type.replace(/s$/, ''), type.replace(/ies$/, 'y'), type.replace(/es$/, '')]
  const isOf = (ends: readonly string[]) => owners.some((owner) => ends.some((end) => name === owner + end))
  if (name === 'id' || isOf(['id'])) return 0
  if (isOf(['key', 'code', 'number', 'no'])) return 1
  if (['key', 'code', 'uuid', 'guid', 'pk'].includes(name)) return 2
  if (/(?:uuid|guid)$/.test(name)) return 3
  // `paid` and `casino` end in the same letters, so the capital decides.
  return /[a-z0-9](?:Id|ID|Key|Code|Number|No)$/.test(camel) ? 4 : notLikeAKey
}
