import {
  batchLineSchema,
  commitPreviewSchema,
  commitReceiptSchema,
  limits,
  movedSourceSchema,
  mediaTypes,
  putLineSchema,
  sourceLineSchema,
  type ErrorName,
} from '@octavo/protocol'
import { Type } from 'typebox'
import { oneValue } from '../../../read/request/query-parameters.ts'
import { readDeletionLimit } from '../../../write/commit/deletion-limit.ts'
import { serveBatch, type BatchService } from '../../../write/serve-batch.ts'
import { operation, type Operation } from '../../operation.ts'
import { changeErrors } from '../../errors-of-operations.ts'
import { arrivingLines, codingHeader } from '../../arriving-lines.ts'
import { dryRunParameters, idempotencyHeader, idempotencyKey, isDryRun } from './change-requests.ts'

const replaceParameters = Type.Object({
  ...dryRunParameters.properties,
  maxDeletions: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+%?$`,
      description: `The most objects that may be deleted, as a number or a percentage of the objects of the type. By default ${limits.replace.deletedPercent}%, and always ${limits.replace.deletedObjects}.`,
    }),
  ),
})
const batchHeaders = Type.Object({ ...idempotencyHeader, ...codingHeader })

const errors: readonly ErrorName[] = [
  'ObjectTypeNotFound',
  'Default:PermissionDenied',
  'InvalidBatch',
  'InvalidCompressedBody',
  'UnsupportedContentEncoding',
  'IdempotencyKeyConflict',
  'ConditionNotMet',
  'SourceOutOfStep',
  'BatchTimedOut',
  ...changeErrors,
]

const kinds = [
  {
    address: 'POST /manage/v1/ontologies/:ontology/objectTypes/:objectType/batches',
    operationId: 'commitBatch',
    summary: 'Put, merge and delete objects of a type in one version, all or none.',
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    address: 'POST /manage/v1/ontologies/:ontology/batches',
    operationId: 'commitBatchOfTypes',
    summary:
      'Put, merge and delete objects of several types in one version, all or none; each line names its type.',
    query: dryRunParameters,
    body: batchLineSchema,
    replaces: false,
  },
  {
    address: 'PUT /manage/v1/ontologies/:ontology/objectTypes/:objectType/objects',
    operationId: 'replaceObjects',
    summary: 'Make these objects the whole contents of a type, in one version.',
    query: replaceParameters,
    body: Type.Union([putLineSchema, sourceLineSchema]),
    replaces: true,
  },
] as const

export const batchOperations = (service: BatchService): readonly Operation[] =>
  kinds.map(({ address, operationId, summary, query, body, replaces }) =>
    operation(
      address,
      {
        kind: 'write',
        operationId,
        summary,
        details: 'The body is NDJSON; the schema describes one line.',
        right: 'write',
        query,
        header: batchHeaders,
        body,
        bodyType: mediaTypes.ndjson,
        bodyBytes: limits.request.batchBytes,
        answer: Type.Union([commitReceiptSchema, commitPreviewSchema, movedSourceSchema]),
        errors: replaces ? [...errors, 'TooManyDeletions'] : errors,
      },
      ({ caller, params, query, request, reply, signal }) =>
        serveBatch(service, {
          caller,
          ontology: params.ontology,
          objectType: params.objectType,
          replaces,
          maxDeletions: readDeletionLimit(oneValue(query, 'maxDeletions')),
          dryRun: isDryRun(query),
          idempotencyKey: idempotencyKey(request),
          body: arrivingLines(request, reply),
          signal,
        }),
    ),
  )
