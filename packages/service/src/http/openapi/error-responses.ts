import { errorBodySchema, errorTable, headers, mediaTypes, type ErrorName } from '@octavo/protocol'
import type { ComponentSchemas } from './component-schemas.ts'
import type { RouteDescription } from './described-as.ts'
import type { JsonObject } from '../../base/value/json-object.ts'

/** Errors that any authenticated endpoint may answer with. */
const everywhere: readonly ErrorName[] = [
  'UnknownParameter',
  'InvalidParameterValue',
  'Default:Unauthorized',
  'ApiUsageDenied',
  'RequestTooLarge',
  'RateLimited',
  'Default:Internal',
  'Overloaded',
]
const withBody: readonly ErrorName[] = [
  'MissingPostBody',
  'Conjure:UnsupportedMediaType',
  'Conjure:UnprocessableEntity',
]

/** The error responses by status, each with the error names that have this status and when they happen. */
export function errorResponses(
  { errors, body, right }: RouteDescription,
  schemas: ComponentSchemas,
): JsonObject {
  if (right === 'public') return {}
  const names = [...new Set([...errors, ...everywhere, ...(body === undefined ? [] : withBody)])]
  const byStatus = Object.groupBy(names, (name) => String(errorTable[name].status))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, sharing = []]) => [
      status,
      {
        description: sharing.map((name) => `- \`${name}\`: ${errorTable[name].meaning}`).join('\n'),
        ...(headersOf[status] && { headers: headersOf[status] }),
        content: { [mediaTypes.json]: { schema: schemas.show(errorBodySchema) } },
      },
    ]),
  )
}

const retryAfter: JsonObject = {
  [headers.retryAfter]: {
    description: 'How many seconds to wait before sending the same request again.',
    schema: { type: 'integer' },
  },
}

const headersOf: Readonly<Record<string, JsonObject>> = {
  401: { [headers.wwwAuthenticate]: { description: 'How to authenticate.', schema: { const: 'Bearer' } } },
  429: retryAfter,
  503: retryAfter,
}
