// Which refusals the endpoints of a kind share, for their descriptions.
import type { ErrorName } from '@octavo/protocol'

export const pagingErrors: readonly ErrorName[] = ['InvalidPageSize', 'InvalidPageToken']

/** Of both endpoints that give pages of objects. */
export const objectPageErrors: readonly ErrorName[] = [
  ...pagingErrors,
  'ObjectTypeNotFound',
  'PropertiesNotFound',
  'PropertiesNotSortable',
  'DuplicateOrderBy',
  'QueryTooLarge',
  'ConsistentSnapshotError',
  'ScanTimedOut',
]
