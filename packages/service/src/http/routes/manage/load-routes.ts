import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  commitReceiptSchema,
  finishRequestSchema,
  limits,
  loadPartReceiptSchema,
  loadRequestSchema,
  loadSchema,
  loadsPageSchema,
  mediaTypes,
  pageSizes,
  putLineSchema,
  type ErrorName,
} from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { refuseUnknown, type QueryParameters } from '../../../read/request/query-parameters.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { parseFinishRequest, parseLoadRequest } from '../../../write/parse-load-request.ts'
import {
  addLoadPart,
  beginLoad,
  finishLoad,
  giveUpLoad,
  loadsOf,
  readLoad,
} from '../../../write/serve-load.ts'
import { abortSignalOf } from '../../abort-signal.ts'
import { created } from '../../created.ts'
import { describedAs } from '../../openapi/described-as.ts'
import { loadPartPath, loadPath, ontologyPath, pageParameters } from '../../page-parameters.ts'
import { changeErrors, pagingErrors } from '../../page-errors.ts'
import { callerOf } from '../../require-right.ts'
import { arrivingLines, codingHeader, takeLines } from './arriving-lines.ts'
import { idempotencyHeader, idempotencyKey } from './idempotency-key.ts'

interface OfOntology {
  Params: { ontology: string }
  Querystring: QueryParameters
}

interface OfLoad {
  Params: { ontology: string; loadId: string }
  Querystring: QueryParameters
}

interface OfPart {
  Params: { ontology: string; loadId: string; objectType: string; part: string }
  Querystring: QueryParameters
}

const loadsUrl = '/manage/v1/ontologies/:ontology/loads'

const ofOntology: readonly ErrorName[] = ['OntologyNotFound', 'Default:PermissionDenied', 'LoadsNotSupported']
const ofLoad: readonly ErrorName[] = [...ofOntology, 'LoadNotFound']

export const loadRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post<OfOntology>(
      loadsUrl,
      describedAs({
        operationId: 'beginLoad',
        summary: 'Begin a load: many objects of a type, sent in parts, that become visible together.',
        tag: 'Manage',
        right: 'write',
        path: ontologyPath,
        header: Type.Object(idempotencyHeader),
        body: loadRequestSchema,
        answer: loadSchema,
        creates: 'always',
        errors: [
          ...ofOntology,
          'ObjectTypeNotFound',
          'TooManyLoads',
          'IdempotencyKeyConflict',
          ...changeErrors,
        ],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), [])
        const { ontology } = request.params
        const load = await beginLoad(service, {
          caller: callerOf(request),
          ontology,
          ...parseLoadRequest(request.body),
          idempotencyKey: idempotencyKey(request),
        })
        return created(reply, `/manage/v1/ontologies/${ontology}/loads/${load.loadId}`, load)
      },
    )

    app.get<OfOntology>(
      loadsUrl,
      describedAs({
        operationId: 'listLoads',
        summary: 'List the loads of an ontology, in the order in which they were begun.',
        details: 'One that is finished stays in the list for a day.',
        tag: 'Manage',
        right: 'read',
        path: ontologyPath,
        query: pageParameters,
        answer: loadsPageSchema,
        errors: [...ofOntology, ...pagingErrors],
      }),
      async (request) => {
        const caller = callerOf(request)
        const { ontology, read } = await loadsOf(service, { caller, ...request.params })
        const page = await serveListPage(service, {
          caller,
          parameters: request.query,
          query: pageParameters,
          endpoint: 'listLoads',
          within: ontology.rid,
          sizes: pageSizes.manage,
          read,
          positionOf: ({ position }) => position,
        })
        return { ...page, data: page.data.map(({ load }) => load) }
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
        errors: [...ofLoad, 'LoadClosed', ...changeErrors],
      }),
      async (request, reply) => {
        refuseUnknown(Object.keys(request.query), [])
        await giveUpLoad(service, { caller: callerOf(request), ...request.params })
        return reply.code(204).send()
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
        body: finishRequestSchema,
        bodyIsOptional: true,
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
        refuseUnknown(Object.keys(request.query), [])
        return finishLoad(service, {
          caller: callerOf(request),
          ...request.params,
          maxDeletions: parseFinishRequest(request.body),
          signal: abortSignalOf(reply),
        })
      },
    )
  }

export const loadPartRoutes =
  (service: ManageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    takeLines(app)
    app.put<OfPart>(
      `${loadsUrl}/:loadId/objectTypes/:objectType/parts/:part`,
      {
        bodyLimit: limits.load.partBytes,
        ...describedAs({
          operationId: 'putLoadPart',
          summary: 'Add objects to a load.',
          details:
            'The body is NDJSON; the schema describes one line. Parts may be sent at the same time and in any order. Where a key is in several parts, the one with the greatest number wins.',
          tag: 'Manage',
          right: 'write',
          path: loadPartPath,
          header: Type.Object(codingHeader),
          body: putLineSchema,
          bodyType: mediaTypes.ndjson,
          answer: loadPartReceiptSchema,
          errors: [
            ...ofLoad,
            'ObjectTypeNotFound',
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
      async (request: FastifyRequest<OfPart>, reply: FastifyReply) => {
        refuseUnknown(Object.keys(request.query), [])
        return addLoadPart(service, {
          caller: callerOf(request),
          ...request.params,
          part: partNumber(request.params.part),
          body: arrivingLines(request, reply),
          signal: abortSignalOf(reply),
        })
      },
    )
  }

function partNumber(text: string): number {
  const part = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(part)) return part
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'part',
    parameterValue: text,
    expected: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} that no other part of the load has`,
  })
}
