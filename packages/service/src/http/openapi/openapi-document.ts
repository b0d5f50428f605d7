// Makes the OpenAPI 3.1 document from the descriptions of the routes.
import { headers, mediaTypes } from '@octavo/protocol'
import type { TObject } from 'typebox'
import { componentSchemas, type ComponentSchemas } from './component-schemas.ts'
import type { RouteDescription, DescribedRoute } from './described-as.ts'
import { packageVersion } from '../../base/package/package-version.ts'
import { errorResponses } from './error-responses.ts'
import { isJsonObject, type JsonObject } from '../../base/value/json-object.ts'
import { tags } from './tags.ts'

const about = `Objects, page by page, in two revisions of one paging behaviour.

- A page is \`{ "data": [...], "nextPageToken": "..." }\`. The next page is the same request with that token as
  \`pageToken\`; the last page has no \`nextPageToken\`.
- With \`snapshot\` a walk reads one committed version from its first page to its last.
- Every request carries \`Authorization: Bearer <token>\`.
- Every refusal has the body \`Error\`; its \`errorName\` says what happened and \`errorDescription\` what to do.
- An answer is compressed with \`zstd\`, \`br\` or \`gzip\` if \`Accept-Encoding\` accepts it and it is long enough to gain by it.
- A request may carry \`X-Request-Id\`; the answer repeats it, or has one that the service generated.

The full contract is in the folder spec of the repository, as numbered clauses.`

export function openApiDocument(routes: readonly DescribedRoute[]): JsonObject {
  const schemas = componentSchemas()
  for (const { description } of routes) schemas.show(description.answer)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, url, description } of routes) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method]: operation(description, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Octavo',
      version: packageVersion(),
      summary: 'An object query service with exact pages.',
      description: about,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Required on every request, also on those for further pages.',
        },
      },
      schemas: schemas.all(),
    },
  }
}

const operation = (route: RouteDescription, schemas: ComponentSchemas): JsonObject => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.details && { description: route.details }),
  tags: [route.tag],
  ...(route.isUnstable && { 'x-stability': 'unstable' }),
  security: route.right === 'public' ? [] : [{ bearer: [] }],
  parameters: [
    ...(['path', 'query', 'header'] as const).flatMap((place) => parameters(place, route, schemas)),
    ...(route.hasTag ? [ifNoneMatch] : []),
    ...(route.hasPrecondition ? [ifMatch, ifNothing] : []),
  ],
  ...(route.body && {
    requestBody: {
      required: route.bodyIsOptional !== true,
      content: {
        [route.bodyType ?? mediaTypes.json]: {
          schema: schemas.use(route.body),
          ...exampleOf(route.example?.body),
        },
      },
    },
  }),
  responses: {
    ...successes(route, schemas),
    ...(route.hasTag && { 304: { description: unchanged, headers: tagHeader } }),
    ...errorResponses(route, schemas),
    ...Object.fromEntries(
      Object.entries(route.otherAnswers ?? {}).map(([status, { description, shape }]) => [
        status,
        { description, content: { [mediaTypes.json]: { schema: schemas.show(shape) } } },
      ]),
    ),
  },
})

function successes(route: RouteDescription, schemas: ComponentSchemas): JsonObject {
  const { answer, answerType = mediaTypes.json, creates, hasTag, example } = route
  const always = {
    [headers.requestId]: {
      description: 'The id of the request in the log of the service.',
      schema: { type: 'string' },
    },
    ...(hasTag && tagHeader),
  }
  if (answer === undefined) return { 204: { description: 'Done. There is no body.', headers: always } }
  const content = {
    [answerType]: { schema: schemas.show(answer), ...exampleOf(example?.answer) },
  }
  return {
    ...(creates !== 'always' && { 200: { description: 'Success.', headers: always, content } }),
    ...(creates && {
      201: { description: 'Created.', headers: { ...always, ...locationHeader }, content },
    }),
  }
}

const locationHeader: JsonObject = {
  [headers.location]: {
    description: 'The path of what was created.',
    schema: { type: 'string' },
  },
}

const unchanged = 'What the caller would get has one of the tags in `If-None-Match`. There is no body.'

const tagHeader: JsonObject = {
  [headers.etag]: {
    description: 'Stands for the bytes of the answer: the same bytes have the same tag.',
    schema: { type: 'string' },
  },
}

const ifNoneMatch: JsonObject = {
  name: headers.ifNoneMatch,
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier answer: if nothing has changed since, the answer is 304 without a body.',
  schema: { type: 'string' },
}

const ifMatch: JsonObject = {
  name: headers.ifMatch,
  in: 'header',
  required: false,
  description: 'The `ETag` of what was read: if it is another now, nothing is changed and the answer is 412.',
  schema: { type: 'string' },
}

const ifNothing: JsonObject = {
  name: headers.ifNoneMatch,
  in: 'header',
  required: false,
  description: 'Create only: if it exists, nothing is changed and the answer is 412.',
  schema: { type: 'string', enum: ['*'] },
}

function parameters(
  place: 'path' | 'query' | 'header',
  route: RouteDescription,
  schemas: ComponentSchemas,
): readonly JsonObject[] {
  const shape: TObject | undefined = route[place]
  return Object.entries(shape?.properties ?? {}).map(([name, property]) => {
    const used = schemas.use(property)
    const { description, ...schema } = isJsonObject(used) ? used : {}
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description !== undefined && { description }),
      schema,
      ...exampleOf(route.example?.parameters?.[name]),
    }
  })
}

const exampleOf = (example: unknown) => (example === undefined ? {} : { example })
