// What a route says of itself in the OpenAPI document. It describes and does not check: requests are parsed by the
// stages, whose refusals name what to do.
import type { ErrorName, Right } from '@octavo/protocol'
import type { RouteShorthandOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Tag } from './tags.ts'

export interface RouteDescription {
  readonly operationId: string
  readonly summary: string
  /** Markdown, where the summary is not all there is to say. */
  readonly details?: string
  readonly tag: Tag
  /** What the credentials must allow, by their scopes; `public` for an endpoint that answers everybody. */
  readonly right: Right | 'public'
  readonly path?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Of the body; JSON unless said otherwise. Of NDJSON, `body` describes a line. */
  readonly bodyType?: string
  /** Headers that the endpoint reads, beside those of every endpoint. */
  readonly header?: TObject
  readonly answer: TSchema
  /** Beside those that every endpoint of its kind has. */
  readonly errors: readonly ErrorName[]
  /** Answers with a shape of their own, by status. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly shape: TSchema }>>
  readonly example?: RouteExample
}

interface RouteExample {
  /** By parameter name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answer: unknown
}

declare module 'fastify' {
  interface FastifyContextConfig {
    described?: RouteDescription
  }
}

export const describedAs = (route: RouteDescription): RouteShorthandOptions => ({
  config: { described: route },
})
