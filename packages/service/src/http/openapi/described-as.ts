// How a route describes itself in the OpenAPI document. The description does not validate anything: the stages parse requests,
// and their errors say what to do.
import type { ErrorName, Right } from '@octavo/protocol'
import type { RouteShorthandOptions, RouteOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Tag } from './tags.ts'

export interface RouteDescription {
  readonly operationId: string
  readonly summary: string
  /** Markdown, for what the summary does not say. */
  readonly details?: string
  readonly tag: Tag
  /** The right that the scopes of the credentials must include; `public` for an endpoint without authentication. */
  readonly right: Right | 'public'
  readonly path?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  readonly bodyIsOptional?: true
  /** The media type of the body; JSON by default. For NDJSON, `body` describes a line. */
  readonly bodyType?: string
  /** Headers that the endpoint reads, in addition to those of every endpoint. */
  readonly header?: TObject
  /** Without it, the answer is 204 and has no body. */
  readonly answer?: TSchema
  /** Whether the answer is 201 with a `Location`: always, or only where nothing was there before. */
  readonly creates?: 'always' | 'ifAbsent'
  /** The media type of the answer; JSON by default. For NDJSON, `answer` describes a line. */
  readonly answerType?: string
  /** Whether the answer has an `ETag`, and a request may ask for it only if it has changed (P211). */
  readonly hasTag?: true
  /** Whether the request may demand with `If-Match` or `If-None-Match: *` what is there (P410). */
  readonly hasPrecondition?: true
  /** Whether the fields of its answer may still change within a revision (P142). */
  readonly isUnstable?: true
  /** Whether the answer has a credential: it is never compressed then. */
  readonly hasSecret?: true
  /** In addition to the errors that every endpoint of its kind has. */
  readonly errors: readonly ErrorName[]
  /** Answers with another shape, by status. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly shape: TSchema }>>
  readonly example?: RouteExample
  /** Whether the endpoint speaks another protocol, which OpenAPI cannot describe: it is left out of the document. */
  readonly isOtherProtocol?: true
}

interface RouteExample {
  /** Examples by parameter name. */
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

export interface DescribedRoute {
  readonly method: string
  readonly url: string
  readonly description: RouteDescription
}

interface RoutesComing {
  readonly addHook: (name: 'onRoute', hook: (route: RouteOptions) => void) => unknown
}

/** Collects the described routes that are registered from now on, in order; the list is complete once all are registered. */
export function describeRoutes(app: RoutesComing): readonly DescribedRoute[] {
  const described: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const description = config?.described
    // Every GET also registers a HEAD, which adds nothing.
    if (description === undefined || description.isOtherProtocol || method === 'HEAD') return
    described.push({ method: String(method).toLowerCase(), url, description })
  })
  return described
}
