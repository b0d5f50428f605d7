import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

import {
  describeError,
  errorBodySchema,
  errorNames,
  errorTable,
  isErrorName,
  statusByErrorCode,
  type PageToken,
} from '../index.ts'

it('P105: the status of every error follows from its code', () => {
  expect(statusByErrorCode).toEqual({
    INVALID_ARGUMENT: 400,
    UNAUTHORIZED: 401,
    PERMISSION_DENIED: 403,
    REQUEST_TIMEOUT: 408,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    CONFLICT: 409,
    PRECONDITION_FAILED: 412,
    REQUEST_ENTITY_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    UNPROCESSABLE_ENTITY: 422,
    TOO_MANY_REQUESTS: 429,
    TIMEOUT: 500,
    INTERNAL: 500,
    SERVICE_UNAVAILABLE: 503,
  })
  for (const name of errorNames)
    expect(errorTable[name].status).toBe(statusByErrorCode[errorTable[name].code])
})

it('the table has every error of the public API family that the contract names', () => {
  const promised =
    'ObjectsExceededLimit InvalidPageSize InvalidPageToken OntologyNotFound ObjectTypeNotFound ObjectNotFound ' +
    'PropertiesNotFound PropertiesNotFilterable PropertiesNotSortable PropertiesNotSearchable ' +
    'MalformedPropertyFilters PropertyFiltersNotSupported InvalidPropertyFilterValue ' +
    'InvalidPropertyFiltersCombination MultiplePropertyValuesNotSupported InvalidPropertyValue InvalidRangeQuery ' +
    'InvalidFields InvalidSortOrder InvalidSortType DuplicateOrderBy ConsistentSnapshotError ApiUsageDenied ' +
    'MissingPostBody UnknownParameter InvalidParameterValue Default:Unauthorized Default:PermissionDenied ' +
    'Default:Internal Conjure:UnprocessableEntity Conjure:UnsupportedMediaType'
  expect(promised.split(' ').filter((name) => !isErrorName(name))).toEqual([])
  expect(isErrorName('toString')).toBe(false)
})

it.each(errorNames)('%s says when it happens and what to do, with parameters that it has', (name) => {
  const { meaning, advice, parameters } = errorTable[name]
  expect(meaning).toMatch(/^[A-Z].*\.$/)
  expect(advice).toMatch(/^[A-Z].*\.$/)
  const placeholders = [...advice.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  expect(Object.keys(parameters.properties)).toEqual(expect.arrayContaining(placeholders))
})

it('the description of an error has its parameters filled in', () => {
  expect(describeError('ApiUsageDenied', { missingScope: 'api:ontologies-read' })).toBe(
    'Use a token with the scope api:ontologies-read.',
  )
  expect(
    describeError('UnknownParameter', {
      unknownParameters: ['limit'],
      expectedParameters: ['pageSize', 'pageToken'],
    }),
  ).toBe('Remove limit; this endpoint accepts pageSize, pageToken.')
  expect(describeError('RateLimited', { retryAfterSeconds: 3 })).toContain('after 3 seconds')
})

it.each([
  ['malformed', 'unchanged'],
  ['expired', 'Start a new walk without a page token'],
  ['requestChanged', 'with the same filters, snapshot,'],
  ['otherCaller', 'credentials of the caller that began'],
] as const)('the advice for a page token that is refused as %s is one that helps', (reason, words) => {
  const changed = reason === 'requestChanged' ? { changed: ['filters', 'snapshot'] } : {}
  const advice = describeError('InvalidPageToken', { reason, ...changed })
  expect(advice).toContain(words)
  expect(advice).toContain('start a new walk without a page token'.slice(1))
  if (reason === 'expired') expect(advice).not.toMatch(/latest|Repeat/)
})

it('P167: the advice for a scan without a token does not mention one', () => {
  expect(describeError('ScanTimedOut', {})).not.toMatch(/token/i)
  expect(describeError('ScanTimedOut', { pageToken: 'abc' as PageToken })).toContain('with the pageToken')
})

it('P77: a field of the body that is sent in the query string is refused with the advice to move it', () => {
  const unknown = { unknownParameters: ['pageToken'], expectedParameters: [] }
  expect(describeError('UnknownParameter', { ...unknown, inBody: ['pageToken'] })).toMatch(
    /^Send pageToken in the body: in revision 2\.0 a POST has all its parameters there/,
  )
  expect(describeError('UnknownParameter', unknown)).toBe(
    'Remove pageToken; this endpoint takes no query parameters.',
  )
})

it('a parameter that looks like a placeholder is not filled in again', () => {
  expect(describeError('MethodNotAllowed', { method: 'PUT', allowedMethods: ['{method}'] })).toContain(
    '{method}',
  )
})

it('an error body has all five fields and may have more', () => {
  const body = {
    errorCode: 'INVALID_ARGUMENT',
    errorName: 'InvalidPageSize',
    errorInstanceId: '5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11',
    parameters: { pageSize: '0' },
    errorDescription: 'Send a pageSize of 1 or more.',
  }
  expect(Value.Check(errorBodySchema, body)).toBe(true)
  expect(Value.Check(errorBodySchema, { ...body, more: 1 })).toBe(true)
  const without = Object.keys(body).map((field) => ({ ...body, [field]: undefined }))
  expect(without.filter((value) => Value.Check(errorBodySchema, value))).toEqual([])
  expect(Value.Check(errorBodySchema, { ...body, errorInstanceId: '17' })).toBe(false)
  expect(Value.Check(errorBodySchema, { ...body, errorCode: 'NOT_OURS' })).toBe(false)
})
