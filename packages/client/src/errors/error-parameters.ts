// The parameters of every error that a reader can get. The service's own are written out here, not imported, so that the
// published types need no other package; a test compares them with the table of the protocol.

type None = object

/** How to continue a walk in the latest state (P246); `onSnapshotGone: 'continue'` does it. */
export interface ContinueWith {
  readonly fromSnapshotToken: string
  readonly toSnapshotToken: string
  readonly changesPageToken: string
  readonly pageToken: string
}

/** For a name that does not exist: those that are most like it, or some that exist, and how many more there are. */
interface NameHelp {
  readonly didYouMean?: readonly string[]
  readonly known?: readonly string[]
  readonly more?: number
}

interface ServiceErrors {
  PathNotFound: { readonly didYouMean?: readonly string[] }
  RequestTooLarge: {
    readonly limit: 'urlBytes' | 'headerBytes' | 'bodyBytes' | 'unpackedBodyBytes' | 'lineBytes'
    readonly maximum: number
  }
  'Conjure:UnprocessableEntity': { readonly path: string; readonly problem: string }
  UnknownParameter: {
    readonly unknownParameters: readonly string[]
    readonly expectedParameters: readonly string[]
    readonly inBody?: readonly string[]
    readonly unexpectedBody?: true
    readonly didYouMean?: readonly string[]
  }
  InvalidParameterValue: {
    readonly parameterId: string
    readonly parameterValue: string
    readonly expected?: string
  }
  'Default:Unauthorized': None
  ApiUsageDenied: { readonly missingScope: string }
  OntologyNotFound: { readonly ontologyRid?: string; readonly apiName?: string }
  ApiFamilyNotFound: { readonly apiFamily: string }
  ObjectTypeNotFound: { readonly objectType: string } & NameHelp
  ObjectNotFound: { readonly objectType: string; readonly primaryKey: string }
  PropertiesNotFound: { readonly objectType: string; readonly properties: readonly string[] } & NameHelp
  InvalidPageSize: { readonly pageSize: string }
  InvalidPageToken: {
    readonly reason: 'malformed' | 'expired' | 'requestChanged' | 'otherCaller'
    readonly changed?: readonly string[]
    readonly continueWith?: ContinueWith
  }
  ObjectsExceededLimit: { readonly limit: 'objects'; readonly maximum: number }
  AggregateTooExpensive: {
    readonly reason: 'allObjects' | 'matches' | 'unindexed'
    readonly objectCount?: number
    readonly limit: 'readObjects'
    readonly maximum: number
    readonly searchable: readonly string[]
  }
  AggregationMetricNotSupported: {
    readonly type: string
    readonly property: string
    readonly propertyBaseType: string
    readonly reason: 'propertyType' | 'array' | 'tooLarge'
    readonly supported: readonly string[]
  }
  AggregationGroupCountExceededLimit: { readonly limit: 'groups' | 'bytes'; readonly maximum: number }
  InvalidAggregationOrdering: { readonly names: readonly string[] }
  InvalidAggregationRange: { readonly property: string; readonly problem: string }
  InvalidSnapshotToken: {
    readonly reason: 'malformed' | 'pageToken' | 'otherOntology' | 'otherObjectType'
    readonly objectType?: string
  }
  SourceNotFound: { readonly source: string }
  SourceBehind: {
    readonly source: string
    readonly afterPosition: string
    /** How far the source is. */
    readonly stored: { readonly name: string; readonly generation: number; readonly position: string }
  }
  ConsistentSnapshotError: { readonly objectType?: string; readonly continueWith?: ContinueWith }
  SnapshotTooOld: {
    readonly objectType: string
    readonly oldestReadable: { readonly version: string; readonly committedAt: string }
  }
  ChangesExpired: {
    readonly objectType: string
    readonly reason: 'tooOld' | 'historyChanged' | 'accessChanged'
  }
  ScanTimedOut: { readonly pageToken?: string }
  MalformedPropertyFilters: {
    readonly malformedPropertyFilter: string
    readonly didYouMean?: readonly string[]
  }
  PropertiesNotFilterable: { readonly properties: readonly string[]; readonly declaration: string }
  PropertyFiltersNotSupported: { readonly propertyFilters: readonly string[]; readonly property: string }
  InvalidPropertyFilterValue: {
    readonly expectedType: string
    readonly propertyFilter: string
    readonly propertyFilterValue: string
    readonly property: string
  }
  InvalidPropertyFiltersCombination: {
    readonly propertyFilters: readonly string[]
    readonly property: string
  }
  MultiplePropertyValuesNotSupported: { readonly propertyFilter: string; readonly property: string }
  DuplicateOrderBy: { readonly properties: readonly string[] }
  PropertiesNotSortable: {
    readonly properties: readonly string[]
    readonly declaration?: string
    readonly possibleOrders?: readonly string[]
  }
  InvalidFields: { readonly properties: readonly string[]; readonly known?: readonly string[] }
  PropertiesNotSearchable: {
    readonly propertyApiNames: readonly string[]
    readonly declaration: string
    readonly searchable?: readonly string[]
  }
  PropertyTypesSearchNotSupported: {
    readonly queryType: string
    readonly property: string
    readonly propertyBaseType: string
    readonly supported?: readonly string[]
  }
  InvalidPropertyValue: {
    readonly propertyBaseType: string
    readonly property: string
    readonly propertyValue: unknown
    readonly problem?: string
  }
  QueryTooLarge: {
    readonly limit: 'depth' | 'nodes' | 'links' | 'inValues' | 'allInValues' | 'textBytes' | 'orderKeys'
    readonly maximum: number
  }
  RateLimited: { readonly retryAfterSeconds: number }
  Overloaded: { readonly retryAfterSeconds: number }
  'Default:Internal': None
}

/** The mistake in a page that was readable. */
export type PageProblem =
  | 'dataMissing'
  | 'tokenUnusable'
  | 'emptyWithToken'
  | 'repeatedToken'
  | 'snapshotChanged'
  | 'changeUnknown'
  | 'stateMisplaced'

interface ClientErrors {
  /** There was no answer: the service could not be reached, or the connection broke. */
  NetworkFailure: None
  RequestTimedOut: { readonly timeoutSeconds: number }
  /** The answer is not from the service, or it is truncated. */
  UnreadableAnswer: { readonly status: number; readonly start: string }
  /** The answer belongs to another request. */
  MisdirectedAnswer: None
  InvalidPage: { readonly problem: PageProblem }
  /** The walk does not have the objects of its snapshot: by their number, or by their checksum. */
  IncompleteWalk: {
    readonly expected: string
    readonly received: number
    readonly checksum?: { readonly expected: string; readonly received: string }
  }
  InvalidSavedWalk: None
  /** A value that only the end of a difference has was read before its end. */
  UnfinishedDifference: None
  /** An option is unknown, missing or of no use. */
  InvalidOption: { readonly option: string; readonly didYouMean?: string }
  /** `toArray({ limit })` met more objects than that. */
  TooManyObjects: { readonly limit: number }
}

export type ErrorParameters = ServiceErrors & ClientErrors
export type ServiceErrorParameters = ServiceErrors
export type ErrorName = keyof ErrorParameters
