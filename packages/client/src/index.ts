export {
  createClient,
  type Client,
  type FamilyReader,
  type Ontology,
  type OntologyReader,
  type Snapshot,
  type SnapshotOptions,
} from './create-client.ts'
export type {
  Aggregate,
  AggregateField,
  AggregateOptions,
  Aggregation,
  GroupBy,
  ValueRange,
} from './aggregated-objects.ts'
export type { AfterPosition } from './after-position.ts'
export type { ChangesOptions, FollowOptions } from './changed-objects.ts'
export type { Change, Reached, RestartReason } from './changes/change.ts'
export type { Difference } from './changes/difference.ts'
export type { Follow } from './changes/follow.ts'
export type { ClientOptions } from './client-options.ts'
export type { RetryNotice, TokenRequest, TokenSource } from './transport/transport.ts'
export { OctavoError } from './errors/octavo-error.ts'
export type { ErrorName, ErrorParameters, PageProblem } from './errors/error-parameters.ts'
export type {
  FoundObjects,
  ObjectVersion,
  QuerySource,
  ReadOneOptions,
  StreamOptions,
  TypeCommit,
} from './found-objects.ts'
export type { FilterOperator, Filters, ListedObjects, ListWalkOptions } from './listed-objects.ts'
export type {
  AnyObjectType,
  AnyTypes,
  FieldKind,
  FoundObject,
  KeyOf,
  ListedObject,
  ObjectTypeShape,
  OrderBy,
  OrderDirection,
  OrderKey,
  PropertyValue,
  ScalarKind,
  ScalarValue,
  StructValue,
  TypesOf,
} from './query/object-type-shape.ts'
export type { Partitions, PartitionOptions } from './partition-objects.ts'
export { queryBuilder, type QueryBuilder } from './query/query-builder.ts'
export type { Query } from './query/query.ts'
export type { ListOptions, ReadOptions, WalkOptions } from './walk-options.ts'
export { hashOfObject, sumOfChecksums } from './walk/content-hash.ts'
export type { Page, WalkNotice } from './walk/check-page.ts'
export type { Walk } from './walk/walk.ts'
