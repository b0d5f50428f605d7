// What a route says of itself in the OpenAPI document. It describes and does not check: requests are parsed by the
// stages, whose refusals name what to do.
import { errorBodySchema } from '@octavo/protocol'
import type { RouteShorthandOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
// Adds operationId, tags and the like to the type of a route's schema.
import type {} from '@fastify/swagger'

export interface RouteDescription {
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly path?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  readonly answer: TSchema
}

export const describedAs = (route: RouteDescription): RouteShorthandOptions => ({
  schema: {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    security: [{ bearer: [] }],
    ...(route.path && { params: route.path }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: { 200: route.answer, default: errorBodySchema },
  },
  validatorCompiler: () => () => true,
  serializerCompiler: () => (value) => JSON.stringify(value),
})
