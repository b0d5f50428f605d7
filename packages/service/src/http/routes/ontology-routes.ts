import { ontologiesPageSchema, ontologySchema, pageSizes } from '@octavo/protocol'
import { findOntology, grantedOntologies } from '../../catalog/find-object-type.ts'
import { shownOntology } from '../../catalog/ontology.ts'
import { inMemory, serveListPage } from '../../read/serve/serve-list-page.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { operation, type Operation } from '../operation.ts'
import { pagingErrors } from '../page-errors.ts'
import { unversionedListParameters } from '../page-parameters.ts'

export const ontologyOperations = (service: PageService): readonly Operation[] => [
  operation(
    'GET /api/v1/ontologies',
    {
      kind: 'read',
      operationId: 'listOntologies',
      summary: 'List the ontologies that the caller may read.',
      tag: 'Revision 1.0',
      right: 'read',
      query: unversionedListParameters,
      answer: ontologiesPageSchema,
      errors: pagingErrors,
    },
    (asked) =>
      serveListPage(service, {
        ...asked.list,
        within: '',
        sizes: pageSizes.listOntologies,
        ...inMemory(
          async () => (await grantedOntologies(service, asked.caller)).map(shownOntology),
          (ontology) => ontology.rid,
        ),
      }),
  ),
  operation(
    'GET /api/v1/ontologies/:ontology',
    {
      kind: 'read',
      operationId: 'getOntology',
      summary: 'Read one ontology.',
      tag: 'Revision 1.0',
      right: 'read',
      answer: ontologySchema,
      hasTag: true,
      errors: ['OntologyNotFound'],
    },
    async (asked) => shownOntology(await findOntology(service, asked.caller, asked.target)),
  ),
]
