import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listedObjectSchema, mediaTypes } from '@octavo/protocol'
import { findObjectType } from '../catalog/find-object-type.ts'
import { keyFromText } from '../value/key-from-text.ts'
import { ServiceError } from '../errors/service-error.ts'
import { projectRecords } from '../page/project-records.ts'
import { listOfValues, refuseUnknown, type QueryParameters } from '../request/query-parameters.ts'
import { resolveProperties } from '../request/resolve-names.ts'
import type { PageService } from '../serve-page.ts'
import { describedAs } from './openapi/described-as.ts'
import { exampleOntologyRid, objectParameters, objectPath } from './page-parameters.ts'

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
        path: objectPath,
        query: objectParameters,
        answer: listedObjectSchema,
        errors: ['OntologyNotFound', 'ObjectTypeNotFound', 'ObjectNotFound', 'PropertiesNotFound'],
        example: {
          parameters: { ontologyRid: exampleOntologyRid, objectType: 'employee', primaryKey: '1001' },
          answer: {
            rid: 'ri.octavo.main.object.0b7e.1001',
            properties: { employeeId: 1001, fullName: 'Ada Byron' },
          },
        },
      }),
      async ({ headers, params, query }, reply) => {
        service.authenticate(headers.authorization)
        refuseUnknown(Object.keys(query), ['properties'])
        const wanted = listOfValues(query, 'properties')
        const { catalog } = service.store
        const { ontology, type } = await findObjectType(catalog, { kind: 'rid', ...params })
        const record = await catalog.withFreshType(ontology, type, async (fresh) => {
          const select = wanted && [fresh.key.property, ...resolveProperties('listObjects', fresh, wanted)]
          const key = keyFromText(fresh.key.scalar, params.primaryKey)
          const found = key === undefined ? undefined : await service.store.readObject(fresh, key)
          return found && select ? projectRecords(found, select) : found
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
