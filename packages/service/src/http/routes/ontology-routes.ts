import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ontologiesPageSchema, ontologySchema, pageSizes } from '@octavo/protocol'
import { findOntology, grantedOntologies } from '../../catalog/find-object-type.ts'
import { shownOntology } from '../../catalog/ontology.ts'
import { refuseUnknown, type QueryParameters } from '../../read/request/query-parameters.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { describedAs } from '../openapi/described-as.ts'
import { pagingErrors } from '../page-errors.ts'
import { ontologyPath, unversionedListParameters } from '../page-parameters.ts'
import { callerOf } from '../require-right.ts'

export const ontologyRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get<{ Querystring: QueryParameters }>(
      '/api/v1/ontologies',
      describedAs({
        operationId: 'listOntologies',
        summary: 'List the ontologies that the caller may read.',
        tag: 'Revision 1.0',
        right: 'read',
        query: unversionedListParameters,
        answer: ontologiesPageSchema,
        errors: pagingErrors,
      }),
      (request) =>
        serveListPage(service, {
          caller: callerOf(request),
          parameters: request.query,
          query: unversionedListParameters,
          endpoint: 'listOntologies',
          within: '',
          sizes: pageSizes.listOntologies,
          ...inMemory(
            async () => (await grantedOntologies(service, callerOf(request))).map(shownOntology),
            (ontology) => ontology.rid,
          ),
        }),
    )
    app.get<{ Params: { ontology: string }; Querystring: QueryParameters }>(
      '/api/v1/ontologies/:ontology',
      describedAs({
        operationId: 'getOntology',
        summary: 'Read one ontology.',
        tag: 'Revision 1.0',
        right: 'read',
        path: ontologyPath,
        answer: ontologySchema,
        hasTag: true,
        errors: ['OntologyNotFound'],
      }),
      async (request) => {
        refuseUnknown(Object.keys(request.query), [])
        return shownOntology(
          await findOntology(service, callerOf(request), { kind: 'ontology', ...request.params }),
        )
      },
    )
  }
