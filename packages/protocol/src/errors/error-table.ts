// Every failure that a caller can see, in one place. A name is never reused for another failure. Unprefixed names and the
// prefixed generic names are those of the public API family, where it has one.

import { Type } from 'typebox'

import { mediaTypes } from '../base/headers.ts'
import { scalarValueSchema } from '../values/property-value.ts'
import { pageTokenSchema } from '../paging/page-token.ts'
import { oldestReadableSchema } from '../paging/oldest-readable.ts'
import { sourcePositionSchema } from '../paging/source-position.ts'
import { continueWithSchema, type ContinueWith } from '../paging/continue-with.ts'
import { propertyFilterOperators } from '../revision-1/property-filter.ts'
import { adviceOfNames, nameHelp } from './advice-of-names.ts'
import { aggregateErrors } from './aggregate-errors.ts'
import { row, type ErrorRow } from './error-row.ts'

const text = Type.String()
const texts = Type.Array(Type.String())
const count = Type.Integer()

const operators = Object.keys(propertyFilterOperators).join(', ')

const tooLarge = {
  urlBytes: 'URL at most {maximum} bytes long, or send the request as a POST of revision 2.0',
  headerBytes: 'headers at most {maximum} bytes long together',
  bodyBytes: 'body at most {maximum} bytes long',
  unpackedBodyBytes: 'body at most {maximum} bytes long once unpacked',
  lineBytes: 'line at most {maximum} bytes long',
} as const

const adviceOfPageToken = {
  malformed:
    'Send the latest nextPageToken of this service unchanged, or start a new walk without a page token.',
  expired: 'Start a new walk without a page token: this token has expired and cannot be renewed.',
  requestChanged:
    'Repeat the request of the first page with the same {changed}, or start a new walk without a page token.',
  otherCaller:
    'Use the credentials of the caller that began the walk, or start a new walk without a page token.',
} as const

const adviceOfContinueWith = (continueWith: ContinueWith | undefined): string | undefined =>
  continueWith &&
  'Start a new walk without a page token. Or continue in the latest state with the tokens of continueWith: read the changes from fromSnapshotToken to toSnapshotToken, with changesPageToken as pageToken; then continue this walk with pageToken, and with toSnapshotToken as snapshotToken if the request has one.'

const adviceOfSnapshotToken = {
  malformed: 'Send a snapshotToken of this service unchanged, or leave it out.',
  pageToken: 'Send this token as pageToken: it names a position in a walk, not a state.',
  otherOntology: 'Take a snapshot token of this ontology: the token names a state of another one.',
  otherObjectType:
    'Take a snapshot token that names the state of {objectType} too: list the type in objectTypes when you request the token.',
} as const

const startAgain =
  'read all objects of {objectType} again, and continue with the snapshotToken of the last page.'

const adviceOfChanges = {
  tooOld: `The changes since this state, or the state itself where a query or a policy needs it, are no longer kept: ${startAgain}`,
  historyChanged: `The database was restored or failed over, and the state is not part of its history: ${startAgain}`,
  accessChanged: `The token was given to a caller that may read other objects: ${startAgain}`,
} as const

const adviceOfSource = {
  otherPosition:
    'Continue after the position in stored: the changes of {source} up to there have been applied.',
  otherContents:
    'Continue after the position in stored: other changes of {source} were applied with it. If two writers share the name, give one of them another.',
  alreadyBegun:
    'Send the position in stored as previousPosition, and only changes after it: {source} has begun.',
  notBegun:
    'Leave out previousPosition and say how positions follow one another, in order: {source} has not begun.',
} as const

export const errorTable = {
  // The request as HTTP

  PathNotFound: row({
    code: 'NOT_FOUND',
    parameters: { didYouMean: Type.Optional(texts) },
    meaning: 'No endpoint has this path.',
    advice: 'Check the path against the list of endpoints in /openapi.json.',
    adviceFor: ({ didYouMean }) =>
      didYouMean === undefined
        ? undefined
        : 'Use the path {didYouMean}, without a trailing slash and without empty segments.',
  }),
  UnsupportedFeature: row({
    code: 'NOT_FOUND',
    parameters: { feature: text },
    meaning: 'The API family has this path, but Octavo does not have what it is for.',
    advice: 'Do without {feature}: Octavo does not have it. /openapi.json lists the endpoints that it has.',
  }),
  MethodNotAllowed: row({
    code: 'METHOD_NOT_ALLOWED',
    parameters: { method: text, allowedMethods: texts },
    meaning: 'The path exists, but not with this method.',
    advice: 'Send the request with one of: {allowedMethods}.',
  }),
  RequestTooLarge: row({
    code: 'REQUEST_ENTITY_TOO_LARGE',
    parameters: {
      limit: Type.Enum(['urlBytes', 'headerBytes', 'bodyBytes', 'unpackedBodyBytes', 'lineBytes']),
      maximum: count,
    },
    meaning:
      'The URL, the headers, the body, the unpacked body, or one line of a batch is larger than the service accepts.',
    advice: 'Make the request smaller: {limit} may be at most {maximum}.',
    adviceFor: ({ limit }) => `Make the ${tooLarge[limit]}.`,
  }),
  'Conjure:UnsupportedMediaType': row({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    parameters: { expectedMediaType: text },
    meaning: 'The body has a content type that the endpoint does not accept.',
    advice: 'Send the body with the header Content-Type: {expectedMediaType}.',
  }),
  UnsupportedContentEncoding: row({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    parameters: { contentEncoding: text, acceptedEncodings: Type.Array(text) },
    meaning: 'The body is compressed in a way that the endpoint does not accept.',
    advice:
      'Encode the body as one of {acceptedEncodings}, and name it in the header Content-Encoding; identity, or no such header, means that the body is not compressed.',
  }),
  InvalidCompressedBody: row({
    code: 'INVALID_ARGUMENT',
    parameters: { contentEncoding: text, problem: text },
    meaning: 'The body cannot be unpacked to its end, so none of it was applied.',
    advice: 'Compress the whole body as {contentEncoding} again, and send it: {problem}.',
  }),
  MissingPostBody: row({
    code: 'INVALID_ARGUMENT',
    parameters: { expectedMediaType: text },
    meaning: 'The endpoint needs a body, but the request has none, or one without any object.',
    advice: 'Send a body with the header Content-Type: {expectedMediaType}.',
    adviceFor: ({ expectedMediaType }) =>
      expectedMediaType === mediaTypes.ndjson
        ? 'Send at least one object, each as a line of JSON, with the header Content-Type: {expectedMediaType}.'
        : undefined,
  }),
  'Conjure:UnprocessableEntity': row({
    code: 'UNPROCESSABLE_ENTITY',
    parameters: {
      /** A JSON pointer into the body; empty for the whole body. */
      path: text,
      problem: text,
    },
    meaning: 'The body is not valid JSON, or one of its fields does not have the expected shape.',
    advice: 'Correct the body at "{path}": {problem}.',
    adviceFor: ({ path }) => (path === '' ? 'Correct the body: {problem}.' : undefined),
  }),
  UnknownParameter: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      unknownParameters: texts,
      expectedParameters: texts,
      /** Parameters of the query string that the endpoint reads from the body instead. */
      inBody: Type.Optional(texts),
      /** The endpoint takes no body, and the request has one. */
      unexpectedBody: Type.Optional(Type.Literal(true)),
      didYouMean: Type.Optional(texts),
    },
    meaning: 'The request has a query parameter, a body field or a body that the endpoint does not define.',
    advice: 'Remove {unknownParameters}; this endpoint accepts {expectedParameters}.',
    adviceFor: ({ expectedParameters, inBody, unexpectedBody, didYouMean }) => {
      if (unexpectedBody) {
        return expectedParameters.length === 0
          ? 'Send the request without a body: this endpoint takes no parameters.'
          : 'Send the request without a body: this endpoint accepts {expectedParameters}, in the query string.'
      }
      if (inBody !== undefined) {
        return 'Send {inBody} in the body: in revision 2.0 a POST has all its parameters there, including the page token.'
      }
      if (didYouMean !== undefined) {
        return 'There is no parameter {unknownParameters}; did you mean {didYouMean}? This endpoint accepts {expectedParameters}.'
      }
      return expectedParameters.length === 0
        ? 'Remove {unknownParameters}; this endpoint takes no query parameters.'
        : undefined
    },
  }),
  InvalidParameterValue: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      parameterId: text,
      parameterValue: text,
      /** The values it may have, in words. */
      expected: Type.Optional(text),
    },
    meaning: 'A path segment, query parameter or header has an invalid value.',
    advice: 'Give {parameterId} a value that its definition allows.',
    adviceFor: ({ expected }) => (expected === undefined ? undefined : 'Give {parameterId} {expected}.'),
  }),

  // Who is asking

  'Default:Unauthorized': row({
    code: 'UNAUTHORIZED',
    parameters: {},
    meaning: 'The request carries no bearer token, or one that is unknown, revoked or expired.',
    advice:
      'Send a valid token in the header Authorization: Bearer <token>, with the request for every page.',
  }),
  'Default:PermissionDenied': row({
    code: 'PERMISSION_DENIED',
    parameters: { requiredRole: text },
    meaning: 'The caller has a role on the ontology, but the request needs a higher one.',
    advice: 'Ask an owner of the ontology for the role {requiredRole}.',
  }),
  ApiUsageDenied: row({
    code: 'PERMISSION_DENIED',
    parameters: { missingScope: text },
    meaning: "The caller's token does not carry the scope that the endpoint needs.",
    advice: 'Use a token with the scope {missingScope}.',
  }),

  // What is asked for

  OntologyNotFound: row({
    code: 'NOT_FOUND',
    parameters: { ontologyRid: Type.Optional(text), apiName: Type.Optional(text) },
    meaning: 'There is no such ontology, or the caller has no role on it; both get the same answer.',
    advice:
      'Check the rid or the API name, and that you have been granted a role on this ontology. GET /api/v1/ontologies lists those that you may read.',
  }),
  ApiFamilyNotFound: row({
    code: 'NOT_FOUND',
    parameters: { apiFamily: text },
    meaning:
      'No ontology has this API family, or the caller has no role on that ontology; both get the same answer.',
    advice: 'Check the name {apiFamily}, and that you have been granted a role on the ontology behind it.',
  }),
  ObjectTypeNotFound: row({
    code: 'NOT_FOUND',
    parameters: { objectType: text, ...nameHelp },
    meaning: 'The ontology has no object type of this name, or the load is for another type.',
    advice: 'Use the name of an object type of this ontology; there is no type {objectType}.',
    adviceFor: (help) => adviceOfNames('There is no object type {objectType}', help),
  }),
  LinkTypeNotFound: row({
    code: 'NOT_FOUND',
    parameters: { objectType: text, link: text, ...nameHelp },
    meaning: 'The object type has no link of this name.',
    advice: 'Use the name of a link of {objectType}: there is no link {link}.',
    adviceFor: (help) => adviceOfNames('The type {objectType} has no link {link}', help),
  }),
  ObjectNotFound: row({
    code: 'NOT_FOUND',
    parameters: { objectType: text, primaryKey: text },
    meaning: 'The object type has no object with this primary key.',
    advice: 'Check the primary key; if it is right, the object does not exist.',
  }),
  PropertiesNotFound: row({
    code: 'NOT_FOUND',
    parameters: { objectType: text, properties: texts, ...nameHelp },
    meaning: 'The request names properties that the object type does not have.',
    advice: 'Use properties that {objectType} declares; it does not declare {properties}.',
    adviceFor: ({ properties, ...help }) =>
      adviceOfNames(
        `The type {objectType} has no ${properties.length === 1 ? 'property' : 'properties'} {properties}`,
        help,
      ),
  }),

  // Paging

  InvalidPageSize: row({
    code: 'INVALID_ARGUMENT',
    parameters: { pageSize: text },
    meaning: 'The page size is zero, negative or not an integer.',
    advice:
      'Send a pageSize of 1 or more, or leave it out; a size above the maximum is reduced to the maximum.',
  }),
  InvalidPageToken: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      reason: Type.Enum(['malformed', 'expired', 'requestChanged', 'otherCaller']),
      /** Present only with `requestChanged`: which parts of the request differ from those of the first page. */
      changed: Type.Optional(texts),
      /** Present only with `expired`, where the walk can continue in the latest state. */
      continueWith: Type.Optional(continueWithSchema),
    },
    meaning:
      'The page token was not issued by this service, has expired, or belongs to another request or caller.',
    advice:
      'Repeat the request of the first page unchanged, with the latest nextPageToken, or start a new walk without a page token.',
    adviceFor: ({ reason, continueWith }) => adviceOfContinueWith(continueWith) ?? adviceOfPageToken[reason],
  }),
  ObjectsExceededLimit: row({
    code: 'INVALID_ARGUMENT',
    parameters: { limit: Type.Literal('objects'), maximum: count },
    meaning: 'The walk has returned as many objects as a list of revision 1.0 may return over all its pages.',
    advice: 'Narrow the list with filters, or use the search of revision 2.0, which has no such limit.',
  }),
  InvalidSnapshotToken: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      reason: Type.Enum(['malformed', 'pageToken', 'otherOntology', 'otherObjectType']),
      /** Present only with `otherObjectType`: the object type whose state the token does not name. */
      objectType: Type.Optional(text),
    },
    meaning:
      'The snapshot token was not issued by this service, or does not name a state of this object type.',
    advice: 'Take a snapshot token from a request to snapshots that names the object type.',
    adviceFor: ({ reason }) => adviceOfSnapshotToken[reason],
  }),
  SnapshotTooOld: row({
    code: 'CONFLICT',
    parameters: {
      objectType: text,
      oldestReadable: oldestReadableSchema,
    },
    meaning: 'The state of the time or version that the request names is no longer kept.',
    advice: 'Name a later time or version: oldestReadable has the oldest that can still be read.',
    adviceFor: ({ objectType, oldestReadable: { version, committedAt } }) =>
      `Name a time from ${committedAt} on, or a version of ${objectType} from ${version} on: older states are no longer kept.`,
  }),
  ConsistentSnapshotError: row({
    code: 'CONFLICT',
    parameters: {
      objectType: Type.Optional(text),
      /** Present where the walk can continue in the latest state. */
      continueWith: Type.Optional(continueWithSchema),
    },
    meaning: 'The state of the object type that the request reads is no longer kept.',
    advice:
      'Start again without a page token, and with a new snapshot token if the request has one: the latest state can be read.',
    adviceFor: ({ continueWith }) => adviceOfContinueWith(continueWith),
  }),
  SourceBehind: row({
    code: 'CONFLICT',
    parameters: {
      source: text,
      afterPosition: text,
      /** How far the source is. */
      stored: sourcePositionSchema,
    },
    meaning: 'The latest state does not contain the position of the source that the request asks for.',
    advice:
      'Send the same request again, with a larger waitSeconds: {source} has not come as far as {afterPosition} yet. If it stands still, look at what writes it.',
  }),
  ChangesExpired: row({
    code: 'CONFLICT',
    parameters: { objectType: text, reason: Type.Enum(['tooOld', 'historyChanged', 'accessChanged']) },
    meaning:
      'The service cannot say, or not to this caller, what has changed since the state that the request names.',
    advice: 'Read all objects again, and continue with the snapshotToken of the last page.',
    adviceFor: ({ reason }) => adviceOfChanges[reason],
  }),
  ScanTimedOut: row({
    code: 'TIMEOUT',
    parameters: {
      /** Continues where the scan stopped. Absent if the walk has not advanced yet. */
      pageToken: Type.Optional(pageTokenSchema),
    },
    meaning: 'The time limit for one page was reached before a match was found. There may still be matches.',
    advice:
      'Send the request again, with the pageToken from the parameters if there is one: it continues where the scan stopped.',
    adviceFor: ({ pageToken }) =>
      pageToken === undefined
        ? 'Send the same request again later, or narrow it: the time limit was reached before the walk made any progress.'
        : 'Send the request again with the pageToken from the parameters to continue where the scan stopped.',
    retryable: true,
  }),

  // Filters and order of revision 1.0

  MalformedPropertyFilters: row({
    code: 'INVALID_ARGUMENT',
    parameters: { malformedPropertyFilter: text, didYouMean: Type.Optional(texts) },
    meaning: 'A filter parameter is not written as properties.{property}.{operator}.',
    advice: `Write {malformedPropertyFilter} as properties.<property>.<operator>=<value>, with one of the operators ${operators}.`,
    adviceFor: ({ didYouMean }) =>
      didYouMean === undefined
        ? undefined
        : `There is no filter {malformedPropertyFilter}; did you mean {didYouMean}? The operators are ${operators}.`,
  }),
  PropertiesNotFilterable: row({
    code: 'INVALID_ARGUMENT',
    parameters: { properties: texts, declaration: text },
    meaning: 'A filter of revision 1.0 names properties that are not declared searchable.',
    advice: 'Filter on other properties, or add {declaration} to the definition of {properties}.',
  }),
  PropertyFiltersNotSupported: row({
    code: 'INVALID_ARGUMENT',
    parameters: { propertyFilters: texts, property: text },
    meaning: "A filter of revision 1.0 does not apply to the property's type.",
    advice: 'Use operators other than {propertyFilters} on {property}.',
  }),
  InvalidPropertyFilterValue: row({
    code: 'INVALID_ARGUMENT',
    parameters: { expectedType: text, propertyFilter: text, propertyFilterValue: text, property: text },
    meaning: "The value of a filter of revision 1.0 is not a value of the property's type.",
    advice: 'Give {propertyFilter} on {property} a value of the type {expectedType}.',
  }),
  InvalidPropertyFiltersCombination: row({
    code: 'INVALID_ARGUMENT',
    parameters: { propertyFilters: texts, property: text },
    meaning: 'The filter isNull is combined with another filter on the same property.',
    advice: 'Send only one of {propertyFilters} for {property}.',
  }),
  MultiplePropertyValuesNotSupported: row({
    code: 'INVALID_ARGUMENT',
    parameters: { propertyFilter: text, property: text },
    meaning:
      'A filter that takes one value (lt, lte, gt, gte, isNull) is used more than once on one property.',
    advice: 'Send {propertyFilter} once for {property}.',
  }),
  InvalidRangeQuery: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      lt: Type.Optional(scalarValueSchema),
      lte: Type.Optional(scalarValueSchema),
      gt: Type.Optional(scalarValueSchema),
      gte: Type.Optional(scalarValueSchema),
      field: text,
    },
    meaning: 'One property has both lt and lte, or both gt and gte.',
    advice: 'Keep at most one upper and one lower bound for {field}.',
  }),
  InvalidSortType: row({
    code: 'INVALID_ARGUMENT',
    parameters: { invalidSortType: text },
    meaning: 'An entry of orderBy is not written as properties.{property}.',
    advice: 'Write {invalidSortType} as properties.<property>:asc or properties.<property>:desc.',
  }),
  InvalidSortOrder: row({
    code: 'INVALID_ARGUMENT',
    parameters: { invalidSortOrder: text },
    meaning: 'A direction in orderBy is neither asc nor desc.',
    advice: 'Write asc or desc instead of {invalidSortOrder}.',
  }),

  // Order, fields and queries of both revisions

  DuplicateOrderBy: row({
    code: 'INVALID_ARGUMENT',
    parameters: { properties: texts },
    meaning: 'The order names a property more than once.',
    advice: 'Name {properties} once in the order.',
  }),
  PropertiesNotSortable: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      properties: texts,
      /** What would make the order possible; absent where nothing would: arrays, structs and their components have no order. */
      declaration: Type.Optional(text),
      /** The orders that exist, as revision 1.0 writes them; only some of them if there are many. */
      possibleOrders: Type.Optional(texts),
    },
    meaning:
      'No index has this order: the property is not declared sortable, or the composite order is not declared.',
    advice: 'Choose another order, or add {declaration} in the definition of the object type.',
    adviceFor: ({ possibleOrders, declaration }) => {
      if (possibleOrders === undefined) return undefined
      return declaration === undefined
        ? 'Order by one of {possibleOrders}: arrays, structs and their components, such as {properties}, have no order.'
        : 'Order by one of {possibleOrders}, or add {declaration} in the definition of the object type.'
    },
  }),
  InvalidFields: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      properties: texts,
      /** How the property can be named instead. */
      known: Type.Optional(texts),
    },
    meaning:
      'A field is not written as property or property:COMPONENT, or does not fit its property: a struct needs a component, and nothing else takes one.',
    advice:
      'Write {properties} as the name of a property or, for a component of a struct, as property:COMPONENT.',
    adviceFor: ({ known }) => (known === undefined ? undefined : 'Write {known} instead of {properties}.'),
  }),
  PropertiesNotSearchable: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      propertyApiNames: texts,
      declaration: text,
      /** Some of the properties that can be queried. */
      searchable: Type.Optional(texts),
    },
    meaning: 'A query names properties that are not declared searchable.',
    advice: 'Query other properties, or add {declaration} to the definition of {propertyApiNames}.',
    adviceFor: ({ searchable }) =>
      searchable === undefined
        ? undefined
        : 'Query {searchable} instead, or add {declaration} to the definition of {propertyApiNames}.',
  }),
  PropertyTypesSearchNotSupported: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      queryType: text,
      property: text,
      propertyBaseType: text,
      /** The query types that apply. */
      supported: Type.Optional(texts),
    },
    meaning: "A query type does not apply to the property's type.",
    advice: 'Use a query type other than {queryType} on {property}, which has the type {propertyBaseType}.',
    adviceFor: ({ supported, queryType, propertyBaseType }) => {
      if (supported === undefined) return undefined
      const words =
        queryType === 'contains' && propertyBaseType === 'String'
          ? ' The last of these look for words of a text; none looks for a part of a word.'
          : ''
      return `Query {property}, which has the type {propertyBaseType}, with one of {supported} instead of {queryType}.${words}`
    },
  }),
  LinkedQueryNotSupported: row({
    code: 'INVALID_ARGUMENT',
    parameters: { endpoint: text },
    meaning:
      'A query follows a link, but the endpoint looks at the objects of one type only: changes, partitions, and the versions of an object.',
    advice:
      'Leave the condition that follows a link out of the query for {endpoint}, or use a search instead.',
  }),
  UnsupportedObjectSet: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      type: text,
      reason: Type.Enum(['kind', 'severalTypes']),
      /** The kinds of object sets that can be loaded. */
      supported: texts,
      objectTypes: Type.Optional(texts),
    },
    meaning:
      'An object set is of a kind that this service does not have, or combines objects of several types.',
    advice: 'Use an object set of another kind than {type}: {supported} can be loaded.',
    adviceFor: ({ reason }) =>
      reason === 'severalTypes'
        ? 'Load each object type by itself: this {type} combines {objectTypes}.'
        : undefined,
  }),
  UnsupportedCondition: row({
    code: 'INVALID_ARGUMENT',
    parameters: { type: text, supported: texts },
    meaning: 'A where clause has a condition, or a way to name a property, that this service does not have.',
    advice: 'Use one of {supported} instead of {type}.',
  }),
  InvalidPropertyValue: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      propertyBaseType: text,
      property: text,
      propertyValue: Type.Unknown(),
      /** What a value of the type must be. */
      problem: Type.Optional(text),
    },
    meaning: "A value of a query, a primary key or an object is not a value of the property's type.",
    advice: 'Give {property} a value of the type {propertyBaseType}.',
    adviceFor: ({ problem }) =>
      problem === undefined
        ? undefined
        : 'Give {property} a value of the type {propertyBaseType}: it {problem}.',
  }),
  QueryTooLarge: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      limit: Type.Enum(['depth', 'nodes', 'links', 'inValues', 'allInValues', 'textBytes', 'orderKeys']),
      maximum: count,
    },
    meaning: 'The query is nested too deeply, has too many parts, or one of its parts is too long.',
    advice: 'Make the query smaller: {limit} may be at most {maximum}.',
    adviceFor: ({ limit }) =>
      limit === 'allInValues'
        ? 'Ask for the values in several requests: all `in` of a query have at most {maximum} values together ({limit}).'
        : undefined,
  }),

  ...aggregateErrors,

  // Writing

  InvalidDefinition: row({
    code: 'INVALID_ARGUMENT',
    parameters: { problems: Type.Array(Type.Object({ path: text, problem: text })) },
    meaning: 'The definition of an ontology or object type contradicts itself or the rules for definitions.',
    advice: 'Correct the definition at each path in problems.',
  }),
  IncompatibleDefinition: row({
    code: 'CONFLICT',
    parameters: {
      objectType: text,
      problems: Type.Array(
        Type.Object({
          path: text,
          /** Of the object that does not fit the definition. */
          primaryKey: Type.Optional(text),
          problem: text,
        }),
      ),
    },
    meaning:
      'The definition would lose or reinterpret data that the object type already holds, or an object that it holds does not fit the definition.',
    advice: 'Keep the current definition of {objectType}, or first do what problems says.',
  }),
  PreconditionFailed: row({
    code: 'PRECONDITION_FAILED',
    parameters: { header: Type.Enum(['If-Match', 'If-None-Match']), etag: Type.Optional(text) },
    meaning: 'The current state does not meet `If-Match` or `If-None-Match`. Nothing was changed.',
    advice: 'Read the current definition, apply your change to it, and send its ETag as If-Match.',
    adviceFor: ({ etag }) =>
      etag === undefined ? 'There is no such definition: leave out If-Match to create it.' : undefined,
  }),
  InvalidBatch: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      problems: Type.Array(
        Type.Object({
          line: Type.Integer({ minimum: 1 }),
          property: Type.Optional(text),
          value: Type.Optional(Type.Unknown()),
          problem: text,
        }),
      ),
    },
    meaning:
      'At least one line of the batch cannot be applied, so none of them was; the first problems are listed.',
    advice: 'Correct the lines listed in problems and send the whole batch again.',
  }),
  IdempotencyKeyConflict: row({
    code: 'CONFLICT',
    parameters: { idempotencyKey: text },
    meaning: 'The idempotency key was already used for a batch or a load with different contents.',
    advice: 'Use a new Idempotency-Key for new contents.',
  }),
  ConditionNotMet: row({
    code: 'CONFLICT',
    parameters: {
      problems: Type.Array(
        Type.Object({
          line: Type.Integer({ minimum: 1 }),
          objectType: text,
          primaryKey: text,
          problem: Type.Enum(['exists', 'doesNotExist', 'hasChanged']),
        }),
      ),
    },
    meaning:
      'An object is not what a line of the batch says in `if`, so none of the batch was applied; the first such lines are listed.',
    advice: 'Read the objects of the lines in problems again, and send the batch for what they are now.',
  }),
  SourceOutOfStep: row({
    code: 'CONFLICT',
    parameters: {
      source: text,
      reason: Type.Enum(['otherPosition', 'otherContents', 'alreadyBegun', 'notBegun']),
      /** Where the source is; absent if it has not begun. */
      stored: Type.Optional(sourcePositionSchema),
    },
    meaning: 'The source of the batch is not where the batch says, so none of the batch was applied.',
    advice: 'Continue after the position in stored: what is before it has been applied.',
    adviceFor: ({ reason }) => adviceOfSource[reason],
  }),
  SourceNotFound: row({
    code: 'NOT_FOUND',
    parameters: { source: text },
    meaning: 'The ontology has no source of this name: no batch has begun it, or it was forgotten.',
    advice: 'Use a name from the list of sources: there is no source {source}.',
  }),
  TooManyDeletions: row({
    code: 'CONFLICT',
    parameters: { objectType: text, deleted: count, objectCount: count, maxDeletions: count },
    meaning: 'The replacement would delete more objects than it may, so nothing was changed.',
    advice:
      'Check that the body has every object of {objectType} that is to stay: it would delete {deleted} of {objectCount} objects, and may delete {maxDeletions}. If that is what you want, send it with maxDeletions {deleted}.',
  }),
  LoadNotFound: row({
    code: 'NOT_FOUND',
    parameters: { loadId: text },
    meaning:
      'The ontology has no load with this id: the id is wrong, or the load was given up or left alone for too long.',
    advice: 'Begin a new load and send its parts again.',
  }),
  LoadClosed: row({
    code: 'CONFLICT',
    parameters: { loadId: text },
    meaning: 'The load is being finished or is finished: it takes no parts and cannot be given up.',
    advice: 'Read the load for its phase and receipt, or begin a new load for other objects.',
  }),
  LoadPartConflict: row({
    code: 'CONFLICT',
    parameters: { loadId: text, part: count },
    meaning: 'The load already has a part with this number and different contents.',
    advice: 'Send other contents with a number other than {part}.',
  }),
  LoadOutdated: row({
    code: 'CONFLICT',
    parameters: { loadId: text, objectType: text },
    meaning: 'The definition of the object type was changed after the load was begun.',
    advice: 'Begin a new load of {objectType} and send its parts again.',
  }),
  TooManyLoads: row({
    code: 'CONFLICT',
    parameters: { limit: Type.Literal('unfinishedLoads'), maximum: count },
    meaning: 'The ontology has as many unfinished loads as it may have.',
    advice:
      'Finish or give up one of the {maximum} unfinished loads, then begin this one. A GET of this path lists them.',
  }),
  LoadsNotSupported: row({
    code: 'CONFLICT',
    parameters: {},
    meaning: 'The database is a cluster, on which loads are not supported.',
    advice: 'Send the objects as batches or as a replacement instead: both work on a cluster.',
  }),
  OntologyAlreadyExists: row({
    code: 'CONFLICT',
    parameters: { apiName: text },
    meaning: 'The name of the ontology belongs to one on which the caller has no grant.',
    advice: 'Choose a name other than {apiName}, which is taken.',
  }),
  AccessTokenNotFound: row({
    code: 'NOT_FOUND',
    parameters: { accessTokenId: text },
    meaning: 'There is no access token with this id.',
    advice: 'List the access tokens and use an id from there.',
  }),
  GrantNotFound: row({
    code: 'NOT_FOUND',
    parameters: { principalType: text, principalName: text },
    meaning: 'The subject or group has no grant on this ontology.',
    advice: 'List the grants of the ontology: the {principalType} {principalName} has none.',
  }),

  // The state of the service

  RateLimited: row({
    code: 'TOO_MANY_REQUESTS',
    parameters: { retryAfterSeconds: count },
    meaning: 'The caller has exceeded its rate limit.',
    advice: 'Send the same request again after {retryAfterSeconds} seconds.',
    retryable: true,
  }),
  Overloaded: row({
    code: 'SERVICE_UNAVAILABLE',
    parameters: { retryAfterSeconds: count },
    meaning: 'The service is overloaded, is stopping, or cannot reach its database or the identity provider.',
    advice: 'Send the same request again after {retryAfterSeconds} seconds.',
    retryable: true,
  }),
  OutcomeUnknown: row({
    code: 'SERVICE_UNAVAILABLE',
    parameters: { retryAfterSeconds: count },
    meaning:
      'The connection to the database was lost while a change was being committed. The change was made completely or not at all, and the service cannot tell which.',
    advice:
      'Send the same batch with the same Idempotency-Key again after {retryAfterSeconds} seconds: it is applied only once. Without a key, first check whether the change was made.',
    retryable: true,
  }),
  BatchTimedOut: row({
    code: 'REQUEST_TIMEOUT',
    parameters: {
      /** Absent where the database has given up the batch. */
      limit: Type.Optional(Type.Literal('batchSeconds')),
      maximum: Type.Optional(count),
    },
    meaning: 'The batch took too long to arrive or to be applied, so none of it was applied.',
    advice:
      'Send the batch again with the same Idempotency-Key, or as several smaller batches: none of it was applied.',
    adviceFor: ({ maximum }) =>
      maximum === undefined
        ? undefined
        : 'Send it again with the same Idempotency-Key over a faster connection, or as several batches, so that each arrives within {maximum} seconds; the operator of the service can allow more with batch-timeout-seconds.',
    retryable: true,
  }),
  StorageFull: row({
    code: 'SERVICE_UNAVAILABLE',
    parameters: { retryAfterSeconds: count },
    meaning: 'The database has run out of storage, so none of the change was made. Reads still work.',
    advice:
      'Ask the operator of the service for more storage, and send the same request again after {retryAfterSeconds} seconds.',
    retryable: true,
  }),
  'Default:Internal': row({
    code: 'INTERNAL',
    parameters: {},
    meaning: 'Something failed that is not the fault of the caller.',
    advice: 'Send the same request again later, and report the errorInstanceId if it fails again.',
    retryable: true,
  }),
} as const satisfies Record<string, ErrorRow>
