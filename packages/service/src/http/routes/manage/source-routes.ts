import { pageParametersSchema, pageSizes, sourceSchema, sourcesPageSchema } from '@octavo/protocol'
import { findOntology } from '../../../catalog/find-object-type.ts'
import type { ManageService } from '../../../manage/manage-service.ts'
import { findSource, forgetSource, listSources } from '../../../manage/sources.ts'
import { serveListPage } from '../../../read/serve/serve-list-page.ts'
import { changeErrors, pagingErrors } from '../../errors-of-operations.ts'
import { operation, type Operation } from '../../operation.ts'

const sourcesUrl = '/manage/v1/ontologies/:ontology/sources'

export const sourceOperations = (service: ManageService): readonly Operation[] => [
  operation(
    `GET ${sourcesUrl}`,
    {
      kind: 'read',
      operationId: 'listSources',
      summary: 'List the sources of an ontology, and how far each has been applied.',
      right: 'read',
      query: pageParametersSchema,
      answer: sourcesPageSchema,
      errors: pagingErrors,
    },
    async ({ caller, target, list }) => {
      const { rid, schema } = await findOntology(service, caller, target)
      return serveListPage(service, {
        ...list,
        within: rid,
        sizes: pageSizes.manage,
        read: (after, count) =>
          listSources(service.database.holding(schema), schema, after?.[0] ?? undefined, count),
        positionOf: ({ name }) => [name],
      })
    },
  ),

  operation(
    `GET ${sourcesUrl}/:source`,
    {
      kind: 'read',
      operationId: 'getSource',
      summary: 'Read how far a source has been applied.',
      right: 'read',
      answer: sourceSchema,
      errors: ['SourceNotFound'],
    },
    async ({ caller, target, params }) => {
      const { schema } = await findOntology(service, caller, target)
      return findSource(service.database.holding(schema), schema, params.source)
    },
  ),

  operation(
    `DELETE ${sourcesUrl}/:source`,
    {
      kind: 'write',
      operationId: 'forgetSource',
      summary: 'Forget how far a source has been applied; the objects stay.',
      details: 'The next batch with this name begins it again.',
      right: 'write',
      errors: ['SourceNotFound', 'Default:PermissionDenied', ...changeErrors],
    },
    async ({ caller, target, params }) => {
      const ontology = await findOntology(service, caller, target, 'owner')
      return forgetSource(service, ontology, { name: params.source, subject: caller.subject })
    },
  ),
]
