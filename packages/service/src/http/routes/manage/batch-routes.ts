import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  batchLineSchema,
  commitPreviewSchema,
  commitReceiptSchema,
  limits,
  mediaTypes,
  putLineSchema,
  type ErrorName,
} from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  booleanValue,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../../read/request/query-parameters.ts'
import { readDeletionLimit } from '../../../write/commit/deletion-limit.ts'
import { serveBatch, type BatchService } from '../../../write/serve-batch.ts'
import { abortSignalOf } from '../../abort-signal.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { dryRunParameters, objectTypePath, ontologyPath, replaceParameters } from '../../page-parameters.ts'
import { changeErrors } from '../../page-errors.ts'
import { callerOf } from '../../require-right.ts'
import { arrivingLines, codingHeader, takeLines } from './arriving-lines.ts'
import { idempotencyHeader, idempotencyKey } from './idempotency-key.ts'

const batchHeaders = Type.Object({ ...idempotencyHeader, ...codingHeader })

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
    method: 'POST',
    url: '/manage/v1/ontologies/:ontology/objectTypes/:objectType/batches',
    operationId: 'commitBatch',
    summary: 'Put, merge and delete objects of a type in one version, all or none.',
    path: objectTypePath,
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    method: 'POST',
    url: '/manage/v1/ontologies/:ontology/batches',
    operationId: 'commitBatchOfTypes',
    summary:
      'Put, merge and delete objects of several types in one version, all or none; each line names its type.',
    path: ontologyPath,
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    method: 'PUT',
    url: '/manage/v1/ontologies/:ontology/objectTypes/:objectType/objects',
    operationId: 'replaceObjects',
    summary: 'Make these objects the whole contents of a type, in one version.',
    path: objectTypePath,
    query: replaceParameters,
    body: putLineSchema,
    replaces: true,
  },
] as const

interface OfBatch {
  Params: { ontology: string; objectType?: string }
  Querystring: QueryParameters
}

export const batchRoutes =
  (service: BatchService): FastifyPluginAsyncTypebox =>
  async (app) => {
    takeLines(app)
    for (const { method, url, operationId, summary, path, query, body, replaces } of kinds) {
      app.route<OfBatch>({
        method,
        url,
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
        handler: async (request: FastifyRequest<OfBatch>, reply: FastifyReply) => {
          refuseUnknown(Object.keys(request.query), Object.keys(query.properties))
          const dryRun = booleanValue(request.query, 'dryRun') ?? false
          const maxDeletions = readDeletionLimit(oneValue(request.query, 'maxDeletions'))
          return serveBatch(service, {
            caller: callerOf(request),
            ontology: request.params.ontology,
            objectType: request.params.objectType,
            replaces,
            maxDeletions,
            dryRun,
            idempotencyKey: idempotencyKey(request),
            body: arrivingLines(request, reply),
            signal: abortSignalOf(reply),
          })
        },
      })
    }
  }
