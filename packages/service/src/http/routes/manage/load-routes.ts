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
  pageParametersSchema,
} from '@octavo/protocol'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
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
import { operation, type Operation } from '../../operation.ts'
import { changeErrors, pagingErrors } from '../../errors-of-operations.ts'
import { arrivingLines, codingHeader } from '../../arriving-lines.ts'
import { created, idempotencyHeader, idempotencyKey } from './change-requests.ts'

const loadsUrl = '/manage/v1/ontologies/:ontology/loads'

const ofOntology: readonly ErrorName[] = ['Default:PermissionDenied', 'LoadsNotSupported']
const ofLoad: readonly ErrorName[] = [...ofOntology, 'LoadNotFound']

export const loadOperations = (service: ManageService): readonly Operation[] => [
  operation(
    `POST ${loadsUrl}`,
    {
      kind: 'write',
      operationId: 'beginLoad',
      summary: 'Begin a load: many objects of a type, sent in parts, that become visible together.',
      right: 'write',
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
    },
    async (incoming) => {
      const { ontology } = incoming.params
      const load = await beginLoad(service, {
        caller: incoming.caller,
        ontology,
        ...parseLoadRequest(incoming.body),
        idempotencyKey: idempotencyKey(incoming.request),
      })
      return created(incoming.reply, `/manage/v1/ontologies/${ontology}/loads/${load.loadId}`, load)
    },
  ),

  operation(
    `GET ${loadsUrl}`,
    {
      kind: 'read',
      operationId: 'listLoads',
      summary: 'List the loads of an ontology, in the order in which they were begun.',
      details: 'One that is finished stays in the list for a day.',
      right: 'read',
      query: pageParametersSchema,
      answer: loadsPageSchema,
      errors: [...ofOntology, ...pagingErrors],
    },
    async (incoming) => {
      const { ontology, read } = await loadsOf(service, { caller: incoming.caller, ...incoming.params })
      const page = await serveListPage(service, {
        ...incoming.list,
        within: ontology.rid,
        sizes: pageSizes.manage,
        read,
        positionOf: ({ position }) => position,
      })
      return { ...page, data: page.data.map(({ load }) => load) }
    },
  ),

  operation(
    `GET ${loadsUrl}/:loadId`,
    {
      kind: 'read',
      operationId: 'getLoad',
      summary: 'Read how far a load has come.',
      right: 'read',
      answer: loadSchema,
      errors: ofLoad,
    },
    ({ caller, params }) => readLoad(service, { caller, ...params }),
  ),

  operation(
    `DELETE ${loadsUrl}/:loadId`,
    {
      kind: 'write',
      operationId: 'giveUpLoad',
      summary: 'Give up a load that is not finished; nothing of it stays.',
      right: 'write',
      errors: [...ofLoad, 'LoadClosed', ...changeErrors],
    },
    ({ caller, params }) => giveUpLoad(service, { caller, ...params }),
  ),

  operation(
    `POST ${loadsUrl}/:loadId/finish`,
    {
      kind: 'write',
      operationId: 'finishLoad',
      summary: 'Make the objects of a load visible, in one version.',
      details:
        'Answers once they are, which takes longer the more objects and indexes there are. Finishing again answers with the same receipt.',
      right: 'write',
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
    },
    async (incoming) => {
      return finishLoad(service, {
        caller: incoming.caller,
        ...incoming.params,
        maxDeletions: parseFinishRequest(incoming.body),
        signal: incoming.signal,
      })
    },
  ),

  operation(
    `PUT ${loadsUrl}/:loadId/objectTypes/:objectType/parts/:part`,
    {
      kind: 'write',
      operationId: 'putLoadPart',
      summary: 'Add objects to a load.',
      details:
        'The body is NDJSON; the schema describes one line. Parts may be sent at the same time and in any order. Where a key is in several parts, the one with the greatest number wins.',
      right: 'write',
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
      bodyBytes: limits.load.partBytes,
    },
    ({ caller, params, request, reply, signal }) =>
      addLoadPart(service, {
        caller,
        ...params,
        part: partNumber(params.part),
        body: arrivingLines(request, reply),
        signal,
      }),
  ),
]

function partNumber(text: string): number {
  const part = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(part)) return part
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'part',
    parameterValue: text,
    expected: `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} that no other part of the load has`,
  })
}
