import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ontologiesPageSchema, ontologySchema, pageSizes } from '@octavo/protocol'
import { findOntology } from '../catalog/find-object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import { refuseUnknown, type QueryParameters } from '../request/query-parameters.ts'
import { serveCatalogPage } from '../serve-catalog-page.ts'
import type { PageService } from '../serve-page.ts'
import { describedAs } from './openapi/described-as.ts'
import { pagingErrors } from './page-errors.ts'
import { ontologyPath, pageParameters } from './page-parameters.ts'

const shown = ({ apiName, displayName, description, rid }: Ontology) => ({
  apiName,
  displayName,
  description,
  rid,
})

export const ontologyRoutes =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { catalog } = service.store
    app.get<{ Querystring: QueryParameters }>(
      '/api/v1/ontologies',
      describedAs({
        operationId: 'listOntologies',
        summary: 'List the ontologies that the caller may read.',
        tag: 'Revision 1.0',
        query: pageParameters,
        answer: ontologiesPageSchema,
        errors: pagingErrors,
      }),
      ({ headers, query }) =>
        serveCatalogPage(service, {
          authorization: headers.authorization,
          parameters: query,
          endpoint: 'listOntologies',
          within: '',
          sizes: pageSizes.listOntologies,
          items: async () => (await catalog.ontologies()).map(shown),
          keyOf: (ontology) => ontology.rid,
        }),
    )
    app.get<{ Params: { ontologyRid: string }; Querystring: QueryParameters }>(
      '/api/v1/ontologies/:ontologyRid',
      describedAs({
        operationId: 'getOntology',
        summary: 'Read one ontology.',
        tag: 'Revision 1.0',
        path: ontologyPath,
        answer: ontologySchema,
        errors: ['OntologyNotFound'],
      }),
      async ({ headers, params, query }) => {
        service.authenticate(headers.authorization)
        refuseUnknown(Object.keys(query), [])
        return shown(await findOntology(catalog, { kind: 'rid', ...params }))
      },
    )
  }
