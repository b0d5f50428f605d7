// The errors that endpoints of one kind share, for their descriptions.
import type { ErrorName } from '@octavo/protocol'

export const pagingErrors: readonly ErrorName[] = ['InvalidPageSize', 'InvalidPageToken']

/** The errors of every endpoint that reads in a state that was named. */
export const snapshotErrors: readonly ErrorName[] = ['InvalidSnapshotToken', 'ConsistentSnapshotError']

/** The errors of every endpoint that can be asked for a state that contains a position of a source. */
export const afterErrors: readonly ErrorName[] = ['SourceNotFound', 'SourceBehind']

/** The errors of both endpoints that return pages of objects. */
export const objectPageErrors: readonly ErrorName[] = [
  ...pagingErrors,
  'ObjectTypeNotFound',
  'PropertiesNotFound',
  'PropertiesNotSortable',
  'DuplicateOrderBy',
  'QueryTooLarge',
  ...snapshotErrors,
  'ScanTimedOut',
]

/** The errors of the filters in the query string of revision 1.0. */
const filterErrors: readonly ErrorName[] = [
  'MalformedPropertyFilters',
  'PropertiesNotFilterable',
  'PropertyFiltersNotSupported',
  'InvalidPropertyFilterValue',
  'InvalidPropertyFiltersCombination',
  'MultiplePropertyValuesNotSupported',
  'InvalidRangeQuery',
]

/** The errors of every list of objects of revision 1.0. */
export const listErrors: readonly ErrorName[] = [
  ...objectPageErrors,
  ...filterErrors,
  'ObjectsExceededLimit',
  'InvalidSortType',
  'InvalidSortOrder',
]

/** The errors of the query language of revision 2.0. */
export const queryErrors: readonly ErrorName[] = [
  'InvalidFields',
  'PropertiesNotSearchable',
  'PropertyTypesSearchNotSupported',
  'InvalidPropertyValue',
  'LinkTypeNotFound',
]

/** The errors of every aggregate. */
export const aggregateErrors: readonly ErrorName[] = [
  'ObjectTypeNotFound',
  'PropertiesNotFound',
  'QueryTooLarge',
  'AggregateTooExpensive',
  'AggregationMetricNotSupported',
  'AggregationGroupCountExceededLimit',
  'InvalidAggregationOrdering',
  'InvalidAggregationRange',
  ...snapshotErrors,
  ...queryErrors,
]

/** The errors of every change of the store. */
export const changeErrors: readonly ErrorName[] = ['OutcomeUnknown', 'StorageFull']
