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

/** Of the filters in the query string of revision 1.0. */
export const filterErrors: readonly ErrorName[] = [
  'MalformedPropertyFilters',
  'PropertiesNotFilterable',
  'PropertyFiltersNotSupported',
  'InvalidPropertyFilterValue',
  'InvalidPropertyFiltersCombination',
  'MultiplePropertyValuesNotSupported',
  'InvalidRangeQuery',
]

/** Of the query language of revision 2.0. */
export const queryErrors: readonly ErrorName[] = [
  'InvalidFields',
  'PropertiesNotSearchable',
  'PropertyTypesSearchNotSupported',
  'InvalidPropertyValue',
]

/** Of every change of the store. */
export const changeErrors: readonly ErrorName[] = ['OutcomeUnknown', 'StorageFull']
