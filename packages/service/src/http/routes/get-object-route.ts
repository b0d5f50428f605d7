import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listedObjectSchema, mediaTypes } from '@octavo/protocol'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { projectRecords } from '../../read/rows/project-records.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import { parseSnapshotToken } from '../../read/request/parse-snapshot-token.ts'
import {
  listOfValues,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from '../../read/request/query-parameters.ts'
import { resolveProperties } from '../../read/request/resolve-names.ts'
import type { PageService } from '../../read/serve-page.ts'
import { describedAs } from '../openapi/described-as.ts'
import { exampleOntologyRid, objectParameters, objectPath } from '../page-parameters.ts'
import { snapshotErrors } from '../page-errors.ts'
import { openNamed } from '../../read/token/open-snapshot-token.ts'
import { abortSignalOf, releaseOnClose } from '../abort-signal.ts'
import { callerOf } from '../require-right.ts'

export const getObjectRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{
      Params: { ontologyRid: string; objectType: string; primaryKey: string }
      Querystring: QueryParameters
    }>(
      '/api/v1/ontologies/:ontologyRid/objects/:objectType/:primaryKey',
      describedAs({
        operationId: 'getObject',
        summary: 'Read one object by its primary key.',
        tag: 'Revision 1.0',
        right: 'read',
        path: objectPath,
        query: objectParameters,
        answer: listedObjectSchema,
        hasTag: true,
        errors: [
          'OntologyNotFound',
          'ObjectTypeNotFound',
          'ObjectNotFound',
          'PropertiesNotFound',
          ...snapshotErrors,
        ],
        example: {
          parameters: { ontologyRid: exampleOntologyRid, objectType: 'employee', primaryKey: '1001' },
          answer: {
            rid: 'ri.ontology.main.object.c7a3d1f0-52b6-4b0e-8a61-0f6f2c1d9e44.31303031',
            properties: { employeeId: 1001, fullName: 'Ada Byron' },
          },
        },
      }),
      async (request, reply) => {
        const { params, query } = request
        const caller = callerOf(request)
        refuseUnknown(Object.keys(query), Object.keys(objectParameters.properties))
        const snapshotToken = parseSnapshotToken(oneValue(query, 'snapshotToken'))
        const wanted = listOfValues(query, 'properties')
        const { catalog } = service.store
        const signal = abortSignalOf(reply)
        const { keep, release } = await service.admission.reserve(caller.subject, signal)
        releaseOnClose(reply, signal, release)
        const { ontology, type } = await findObjectType(service, caller, { kind: 'rid', ...params })
        const record = await catalog.withFreshType(ontology, type, async (fresh) => {
          const select = wanted && [fresh.key.property, ...resolveProperties('listObjects', fresh, wanted)]
          const key = keyFromText(fresh.key.scalar, params.primaryKey)
          const visible = policyFilter(fresh, caller.claims)
          const at = openNamed(service.sealer, { snapshotToken }, { ontology, type: fresh })
          const found =
            key === undefined
              ? undefined
              : await service.store.readObject(fresh, { key, visible, at }, signal)
          return found && select ? projectRecords(found, select) : found
        })
        keep(record?.length ?? 0)
        service.observe({
          kind: 'objects-read',
          requestId: request.id,
          subject: caller.subject,
          endpoint: 'getObject',
          ontologyRid: ontology.rid,
          objectType: type.apiName,
          objects: record === undefined ? 0 : 1,
          bytes: record?.length ?? 0,
          mode: snapshotToken === undefined ? 'default' : 'snapshot',
        })
        if (record === undefined) {
          throw new ServiceError('ObjectNotFound', {
            objectType: params.objectType,
            primaryKey: params.primaryKey,
          })
        }
        return reply.header('content-type', `${mediaTypes.json}; charset=utf-8`).send(record)
      },
    )
  }
