export * from './vocabulary.ts'
export { type Wire } from './base/wire.ts'
export { describeError } from './errors/describe-error.ts'
export { errorBodySchema, type AnyErrorBody, type ErrorBody } from './errors/error-body.ts'
export { statusByErrorCode, type ErrorCode, type ErrorStatus } from './errors/error-code.ts'
export { errorNames, isErrorName, type ErrorName, type ErrorParameters } from './errors/error-name.ts'
export type { ErrorRow } from './errors/error-row.ts'
export { errorTable } from './errors/error-table.ts'
export { apiNameSchema, componentNameSchema, apiFamilySchema } from './values/api-name.ts'
export {
  displayNameSchema,
  descriptionSchema,
  objectTypeStatusSchema,
  objectTypeVisibilitySchema,
} from './values/object-type-texts.ts'
export { plainTextPattern } from './values/plain-text.ts'
export {
  scalarTypeSchema,
  structTypeSchema,
  arrayTypeSchema,
  propertyTypeSchema,
  type StructType,
  type ArrayType,
  type PropertyType,
} from './values/property-type.ts'
export {
  scalarValueSchema,
  structValueSchema,
  propertyValueSchema,
  longTextPattern,
  decimalTextPattern,
  dateTextPattern,
  timestampTextPattern,
  type ScalarValue,
  type StructValue,
  type PropertyValue,
} from './values/property-value.ts'
export { ridPattern, ridSchema, isRid, type Rid } from './values/rid.ts'
export {
  pageParametersSchema,
  unversionedListParametersSchema,
  type PageParameters,
} from './paging/page-parameters.ts'
export { pageSizeSchema, pageSizes, type PageSizes } from './paging/page-size.ts'
export { pageTokenSchema, type PageToken } from './paging/page-token.ts'
export { pageSchema, receivedPageSchema } from './paging/page.ts'
export type { ContinueWith } from './paging/continue-with.ts'
export {
  typeCommitSchema,
  typeCommitsPageSchema,
  type TypeCommit,
  type TypeCommitsPage,
} from './paging/type-commit.ts'
export { oldestReadableSchema, type OldestReadable } from './paging/oldest-readable.ts'
export { snapshotTokenSchema, type SnapshotToken } from './paging/snapshot-token.ts'
export {
  snapshotRequestSchema,
  snapshotSchema,
  type Snapshot,
  type SnapshotRequest,
} from './paging/snapshot.ts'
export { countSchema, type Count } from './paging/count.ts'
export { aggregationSchema, metricDirectionSchema, type Aggregation } from './aggregate/aggregation.ts'
export {
  durationUnits,
  groupBySchema,
  valueRangeSchema,
  type DurationUnit,
  type GroupBy,
} from './aggregate/group-by.ts'
export { aggregateRequestSchema, type AggregateRequest } from './aggregate/aggregate-request.ts'
export {
  aggregateGroupSchema,
  aggregateSchema,
  type Aggregate,
  type AggregateGroup,
  type GroupValue,
} from './aggregate/aggregate.ts'
export { exceededQueryLimit } from './query/exceeded-query-limit.ts'
export { fieldPattern, fieldSchema } from './query/field.ts'
export { orderDirectionSchema, type OrderDirection } from './query/order-direction.ts'
export { querySchema, queryTypes, type LinkedQuery, type Query, type QueryType } from './query/query.ts'
export { searchTerms } from './query/search-terms.ts'
export {
  listParametersSchema,
  listParameterNames,
  orderByEntryPattern,
  type ListParameters,
} from './revision-1/list-parameters.ts'
export { listedObjectSchema, type ListedObject } from './revision-1/object-record.ts'
export {
  listedObjectTypeSchema,
  listedObjectTypesPageSchema,
  type ListedObjectType,
} from './revision-1/object-type.ts'
export { listedObjectsPageSchema, type ListedObjectsPage } from './revision-1/objects-page.ts'
export { ontologySchema, ontologiesPageSchema, type Ontology } from './revision-1/ontology.ts'
export {
  propertyFilterOperators,
  propertyFilterPattern,
  parsePropertyFilterName,
  type PropertyFilterOperator,
  type PropertyFilterName,
} from './revision-1/property-filter.ts'
export {
  foundObjectSchema,
  foundObjectsPageSchema,
  type FoundObject,
  type FoundObjectsPage,
} from './revision-2/object-record.ts'
export {
  streamEndLineSchema,
  streamErrorLineSchema,
  streamLineSchema,
  streamObjectLineSchema,
  streamPageLineSchema,
  type StreamEndLine,
  type StreamErrorLine,
  type StreamObjectLine,
  type StreamPageLine,
} from './revision-2/stream-line.ts'
export {
  searchableObjectTypeSchema,
  searchableObjectTypesPageSchema,
  type SearchableObjectType,
} from './revision-2/object-type.ts'
export { countRequestSchema, type CountRequest } from './revision-2/count-request.ts'
export {
  changeSchema,
  changesPageSchema,
  changesRequestSchema,
  deleteChangeSchema,
  putChangeSchema,
  type Change,
  type ChangesPage,
  type ChangesRequest,
  type DeleteChange,
  type DeleteReason,
  type PutChange,
} from './revision-2/changes.ts'
export {
  objectVersionSchema,
  objectVersionsPageSchema,
  versionsParametersSchema,
  type ObjectVersion,
  type ObjectVersionsPage,
} from './revision-2/object-versions.ts'
export {
  linkPairsPageSchema,
  linkPairsRequestSchema,
  type LinkPair,
  type LinkPairsPage,
  type LinkPairsRequest,
} from './revision-2/link-pairs.ts'
export {
  partitionsRequestSchema,
  partitionsSchema,
  type Partitions,
  type PartitionsRequest,
} from './revision-2/partitions.ts'
export {
  linkedObjectsParametersSchema,
  objectParametersSchema,
  readObjectSchema,
  type ReadObject,
} from './revision-2/object-parameters.ts'
export {
  exportRequestSchema,
  searchOrderSchema,
  searchRequestSchema,
  type ExportRequest,
  type SearchOrder,
  type SearchRequest,
} from './revision-2/search-request.ts'
export {
  accessTokenRequestSchema,
  accessTokenRecordSchema,
  createdAccessTokenSchema,
  accessTokensPageSchema,
  type AccessTokenRequest,
  type AccessTokenRecord,
  type CreatedAccessToken,
} from './manage/access-token.ts'
export {
  auditPageSchema,
  auditParametersSchema,
  auditRecordSchema,
  type AuditPage,
  type AuditRecord,
} from './manage/audit-record.ts'
export {
  putLineSchema,
  mergeLineSchema,
  deleteLineSchema,
  batchLineSchema,
  type BatchLine,
} from './manage/batch-line.ts'
export {
  commitPreviewSchema,
  commitReceiptSchema,
  type CommitPreview,
  type CommitReceipt,
} from './manage/commit.ts'
export { definitionFileSchema, type DefinitionFile } from './manage/definition-file.ts'
export {
  grantRequestSchema,
  grantRecordSchema,
  grantsPageSchema,
  type GrantRequest,
  type GrantRecord,
} from './manage/grant.ts'
export {
  finishRequestSchema,
  loadPartReceiptSchema,
  loadRequestSchema,
  loadSchema,
  loadsPageSchema,
  type Load,
  type LoadPartReceipt,
  type LoadPhase,
} from './manage/load.ts'
export {
  propertyDefinitionSchema,
  orderKeySchema,
  declaredOrderSchema,
  objectTypeDefinitionSchema,
  type PropertyDefinition,
  type OrderKey,
  type DeclaredOrder,
  type ObjectTypeDefinition,
} from './manage/object-type-definition.ts'
export { linkDefinitionSchema, type LinkDefinition } from './manage/link-definition.ts'
export { linkTypeSchema, linkTypesSchema, type LinkType } from './values/link-type.ts'
export { claimSchema, policyQuerySchema, type Claim, type PolicyQuery } from './manage/policy-query.ts'
export { ontologyDefinitionSchema, type OntologyDefinition } from './manage/ontology-definition.ts'
export {
  definitionChangeSchema,
  appliedOntologySchema,
  appliedObjectTypeSchema,
  type DefinitionChange,
  type AppliedOntology,
  type AppliedObjectType,
} from './manage/applied-definition.ts'
export {
  managedOntologySchema,
  managedOntologiesPageSchema,
  type ManagedOntology,
} from './manage/managed-ontology.ts'
export { objectTypeStatisticsSchema, type ObjectTypeStatistics } from './manage/object-type-statistics.ts'
export {
  managedObjectTypeSchema,
  managedObjectTypesPageSchema,
  type ManagedObjectType,
} from './manage/managed-object-type.ts'
export {
  propertyIdentifierSchema,
  unsupportedConditions,
  unsupportedIdentifiers,
  whereSchema,
  type PropertyIdentifier,
  type Where,
} from './revision-v2/where.ts'
export { objectSetSchema, unsupportedObjectSets, type ObjectSet } from './revision-v2/object-set.ts'
export { flatObjectSchema, type FlatObject } from './revision-v2/object-record.ts'
export {
  flatObjectsPageSchema,
  loadedMixedPageSchema,
  loadedObjectsPageSchema,
  type FlatObjectsPage,
} from './revision-v2/objects-page.ts'
export {
  aggregateSetRequestSchema,
  aggregateV2RequestSchema,
  aggregateV2Schema,
  type AggregateV2,
  countV2Schema,
  loadObjectsRequestSchema,
  searchV2RequestSchema,
  type LoadObjectsRequest,
  type SearchV2Request,
} from './revision-v2/requests.ts'
export {
  streamMessageSchema,
  subscribeMessageSchema,
  subscriptionRequestSchema,
  type StreamMessage,
  type SubscribeMessage,
  type SubscriptionRequest,
} from './revision-v2/subscriptions.ts'
export {
  linkTypeSidesPageSchema,
  linkTypeSideV2Schema,
  objectTypeFullMetadataSchema,
  objectTypesV2PageSchema,
  objectTypeV2Schema,
  ontologiesV2Schema,
  ontologyFullMetadataSchema,
  wantedMetadataSchema,
  type LinkTypeSideV2,
  type ObjectTypeFullMetadata,
  type ObjectTypeV2,
  type OntologyFullMetadata,
  type WantedMetadata,
} from './revision-v2/metadata.ts'
