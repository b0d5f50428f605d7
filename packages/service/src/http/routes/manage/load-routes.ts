import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  commitReceiptSchema,
  limits,
  loadPartReceiptSchema,
  loadSchema,
  mediaTypes,
  putLineSchema,
  type ErrorName,
} from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'
import {
  booleanValue,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../../read/request/query-parameters.ts'
import { readDeletionLimit } from '../../../write/commit/deletion-limit.ts'
import { addLoadPart, beginLoad, finishLoad, giveUpLoad, readLoad } from '../../../write/serve-load.ts'
import type { BatchService } from '../../../write/serve-batch.ts'
import { abortSignalOf } from '../../abort-signal.ts'
import { describedAs } from '../../openapi/described-as.ts'
import {
  finishParameters,
  loadParameters,
  loadPath,
  objectTypePath,
  partParameters,
} from '../../page-parameters.ts'
import { changeErrors } from '../../page-errors.ts'
import { callerOf } from '../../require-right.ts'
import { arrivingLines, codingHeader, takeLines } from './arriving-lines.ts'

interface OfType {
  Params: { ontologyRid: string; objectType: string }
  Querystring: QueryParameters
}

interface OfLoad {
  Params: { ontologyRid: string; objectType: string; loadId: string }
  Querystring: QueryParameters
}

const loadsUrl = '/manage/v1/ontologies/:ontologyRid/objectTypes/:objectType/loads'

const ofType: readonly ErrorName[] = ['OntologyNotFound', 'ObjectTypeNotFound', 'Default:PermissionDenied']
const ofLoad: readonly ErrorName[] = [...ofType, 'LoadNotFound']

export const loadRoutes =
  (service: BatchService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<OfType>(
      loadsUrl,
      describedAs({
        operationId: 'beginLoad',
        summary: 'Begin a load: many objects of a type, sent in parts, that become visible together.',
        tag: 'Manage',
        right: 'write',
        path: objectTypePath,
        query: loadParameters,
        answer: loadSchema,
        errors: [...ofType, 'PathNotFound', 'TooManyLoads', ...changeErrors],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), Object.keys(loadParameters.properties))
        const replaces = booleanValue(request.query, 'replace') ?? false
        return beginLoad(service, { caller: callerOf(request), ...request.params, replaces })
      },
    )

    app.get<OfLoad>(
      `${loadsUrl}/:loadId`,
      describedAs({
        operationId: 'getLoad',
        summary: 'Read how far a load has come.',
        tag: 'Manage',
        right: 'read',
        path: loadPath,
        answer: loadSchema,
        errors: ofLoad,
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        return readLoad(service, { caller: callerOf(request), ...request.params })
      },
    )

    app.delete<OfLoad>(
      `${loadsUrl}/:loadId`,
      describedAs({
        operationId: 'giveUpLoad',
        summary: 'Give up a load that is not finished; nothing of it stays.',
        tag: 'Manage',
        right: 'write',
        path: loadPath,
        answer: loadSchema,
        errors: [...ofLoad, 'LoadClosed', ...changeErrors],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        return giveUpLoad(service, { caller: callerOf(request), ...request.params })
      },
    )

    app.post<OfLoad>(
      `${loadsUrl}/:loadId/finish`,
      describedAs({
        operationId: 'finishLoad',
        summary: 'Make the objects of a load visible, in one version.',
        details:
          'Answers once they are, which takes longer the more objects and indexes there are. Finishing again answers with the same receipt.',
        tag: 'Manage',
        right: 'write',
        path: loadPath,
        query: finishParameters,
        answer: commitReceiptSchema,
        errors: [
          ...ofLoad,
          'LoadOutdated',
          'MissingPostBody',
          'TooManyDeletions',
          'BatchTimedOut',
          ...changeErrors,
        ],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), Object.keys(finishParameters.properties))
        const maxDeletions = readDeletionLimit(oneValue(request.query, 'maxDeletions'))
        return finishLoad(service, {
          caller: callerOf(request),
          ...request.params,
          maxDeletions,
          signal: abortSignalOf(reply),
        })
      },
    )
  }

export const loadPartRoutes =
  (service: BatchService): FastifyPluginAsyncTypebox =>
  async (app) => {
    takeLines(app)
    app.post<OfLoad>(
      `${loadsUrl}/:loadId/batches`,
      {
        bodyLimit: limits.load.partBytes,
        ...describedAs({
          operationId: 'addLoadPart',
          summary: 'Add objects to a load.',
          details:
            'The body is NDJSON; the schema describes one line. Parts may be sent at the same time and in any order. Where a key is in several parts, the one with the greatest number wins.',
          tag: 'Manage',
          right: 'write',
          path: loadPath,
          query: partParameters,
          header: Type.Object(codingHeader),
          body: putLineSchema,
          bodyType: mediaTypes.ndjson,
          answer: loadPartReceiptSchema,
          errors: [
            ...ofLoad,
            'LoadClosed',
            'LoadOutdated',
            'LoadPartConflict',
            'InvalidBatch',
            'InvalidCompressedBody',
            'UnsupportedContentEncoding',
            'BatchTimedOut',
            ...changeErrors,
          ],
        }),
      },
      async (request: FastifyRequest<OfLoad>, reply: FastifyReply) => {
        refuseUnknown(Object.keys(request.query), Object.keys(partParameters.properties))
        const part = partNumber(oneValue(request.query, 'part'))
        return addLoadPart(service, {
          caller: callerOf(request),
          ...request.params,
          part,
          body: arrivingLines(request, reply),
          signal: abortSignalOf(reply),
        })
      },
    )
  }

function partNumber(text: string | undefined): number {
  const part = /^\d{1,16}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (Number.isSafeInteger(part)) return part
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'part',
    parameterValue: text ?? '',
    expected: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} that no other part of the load has`,
  })
}
