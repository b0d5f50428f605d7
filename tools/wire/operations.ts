// The operations of the OpenAPI document, as far as shapes are compared: their addresses, what they take and what they answer.

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** The words of an answer; new ones may come. */
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly pattern?: string
}

interface Content {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly description?: string
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly path: string
  readonly method: string
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly query: readonly Parameter[]
  readonly headers: readonly Parameter[]
  readonly body: Schema | undefined
  readonly bodyType: string | undefined
  /** The answer of each status of success; undefined where it has no body. */
  readonly answers: readonly (readonly [
    status: string,
    answer: Schema | undefined,
    type: string | undefined,
    /** Headers that not every answer has. */
    headers: readonly string[],
  ])[]
}

export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { parameters = [], requestBody, responses, tags } = described
      const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
      return {
        path,
        method: method.toUpperCase(),
        operationId: described.operationId,
        summary: described.summary,
        tag: tags[0] ?? '',
        query: parameters.filter((parameter) => parameter.in === 'query'),
        headers: parameters.filter((parameter) => parameter.in === 'header'),
        body: body?.schema,
        bodyType,
        answers: Object.entries(responses)
          .filter(([status]) => /^[123]/.test(status) && status !== '304')
          .map(([status, { content = {}, headers = {} }]) => {
            const [type, answer] = Object.entries(content)[0] ?? []
            const own = Object.keys(headers).filter((name) => name !== 'x-request-id')
            return [status, answer?.schema, type, own] as const
          }),
      }
    }),
  )
