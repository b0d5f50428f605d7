import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  batchLineSchema,
  commitPreviewSchema,
  commitReceiptSchema,
  contentCodings,
  headers,
  limits,
  mediaTypes,
  putLineSchema,
  type ContentCoding,
  type ErrorName,
} from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'
import {
  booleanValue,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../../read/request/query-parameters.ts'
import { shortText } from '../../../write/commit/shortened-value.ts'
import { readDeletionLimit } from '../../../write/commit/deletion-limit.ts'
import { serveBatch, type BatchService } from '../../../write/serve-batch.ts'
import { abortSignalOf } from '../../abort-signal.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { dryRunParameters, objectTypePath, ontologyPath, replaceParameters } from '../../page-parameters.ts'
import { changeErrors } from '../../page-errors.ts'
import { callerOf } from '../../require-right.ts'

const batchHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: limits.request.idempotencyKeyCharacters,
      description: 'The same key with the same contents is applied once, however often it is sent.',
    }),
  ),
  'Content-Encoding': Type.Optional(
    Type.Enum([...contentCodings], {
      description: 'How the body is compressed. One coding only.',
      default: 'identity',
    }),
  ),
})

const errors: readonly ErrorName[] = [
  'OntologyNotFound',
  'ObjectTypeNotFound',
  'Default:PermissionDenied',
  'InvalidBatch',
  'InvalidCompressedBody',
  'UnsupportedContentEncoding',
  'IdempotencyKeyConflict',
  'BatchTimedOut',
  ...changeErrors,
]

const kinds = [
  {
    url: '/manage/v1/ontologies/:ontologyRid/objectTypes/:objectType/batches',
    operationId: 'commitBatch',
    summary: 'Put, merge and delete objects of a type in one version, all or none.',
    path: objectTypePath,
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    url: '/manage/v1/ontologies/:ontologyRid/batches',
    operationId: 'commitBatchOfTypes',
    summary:
      'Put, merge and delete objects of several types in one version, all or none; each line names its type.',
    path: ontologyPath,
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    url: '/manage/v1/ontologies/:ontologyRid/objectTypes/:objectType/replace',
    operationId: 'replaceObjects',
    summary: 'Replace all objects of a type with these, in one version.',
    path: objectTypePath,
    query: replaceParameters,
    body: putLineSchema,
    replaces: true,
  },
] as const

interface OfBatch {
  Params: { ontologyRid: string; objectType?: string }
  Querystring: QueryParameters
}

/** Bodies here are lines that are read while they arrive, so the plugin has its own content type parsers. */
export const batchRoutes =
  (service: BatchService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(mediaTypes.ndjson, async (_: FastifyRequest, body: Readable) => body)
    app.addContentTypeParser('*', async () => {
      throw new ServiceError('Conjure:UnsupportedMediaType', { expectedMediaType: mediaTypes.ndjson })
    })
    for (const { url, operationId, summary, path, query, body, replaces } of kinds) {
      app.post<OfBatch>(
        url,
        {
          bodyLimit: limits.request.batchBytes,
          ...describedAs({
            operationId,
            summary,
            details: 'The body is NDJSON; the schema describes one line.',
            tag: 'Manage',
            right: 'write',
            path,
            query,
            header: batchHeaders,
            body,
            bodyType: mediaTypes.ndjson,
            answer: Type.Union([commitReceiptSchema, commitPreviewSchema]),
            errors: replaces ? [...errors, 'TooManyDeletions'] : errors,
          }),
        },
        async (request: FastifyRequest<OfBatch>, reply: FastifyReply) => {
          refuseUnknown(Object.keys(request.query), Object.keys(query.properties))
          const dryRun = booleanValue(request.query, 'dryRun') ?? false
          const mostDeleted = readDeletionLimit(oneValue(request.query, 'mostDeleted'))
          const { body } = request
          if (!(body instanceof Readable)) throw new ServiceError('MissingPostBody', {})
          // The rest of a refused batch is read and discarded: a client that is still sending reads no answer until it has
          // finished, and if the connection were cut in the middle of a body, the answer would be lost.
          const pieces = body.iterator({ destroyOnReturn: false })
          reply.raw.once('finish', () => void discardRest(pieces, body))
          return serveBatch(service, {
            caller: callerOf(request),
            ontologyRid: request.params.ontologyRid,
            objectType: request.params.objectType,
            replaces,
            mostDeleted,
            dryRun,
            idempotencyKey: idempotencyKey(request),
            body: { pieces, coding: contentCoding(request) },
            signal: abortSignalOf(reply),
          })
        },
      )
    }
  }

/** An iterator that still waits for a piece would keep the body from flowing. */
async function discardRest(pieces: AsyncIterator<Buffer>, body: Readable): Promise<void> {
  await pieces.return?.().catch(() => {})
  body.resume()
}

function contentCoding(request: FastifyRequest): ContentCoding {
  const text = request.headers[headers.contentEncoding] ?? ''
  const coding = contentCodings.find((known) => known === (text.trim().toLowerCase() || 'identity'))
  if (coding !== undefined) return coding
  throw new ServiceError('UnsupportedContentEncoding', {
    contentEncoding: shortText(text),
    acceptedEncodings: [...contentCodings],
  })
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers[headers.idempotencyKey]
  if (key === undefined) return undefined
  const text = [key].flat().join(', ')
  const longest = limits.request.idempotencyKeyCharacters
  if (text === '' || text.length > longest || !/^[\x20-\x7e]+$/.test(text)) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'Idempotency-Key',
      parameterValue: text.slice(0, longest),
      expected: `a value of 1 to ${longest} printable ASCII characters`,
    })
  }
  return text
}
