import { Type } from 'typebox'

import { grantRecordSchema } from './grant.ts'
import { pageParametersSchema } from '../paging/page-parameters.ts'
import { pageSchema } from '../paging/page.ts'
import { longTextPattern, timestampTextPattern } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'

/** The query string of the audit. */
export const auditParametersSchema = Type.Object(
  {
    ...pageParametersSchema.properties,
    subject: Type.Optional(Type.String({ description: 'Only what this caller did.' })),
    objectType: Type.Optional(Type.String({ description: 'Only what was done to this object type.' })),
  },
  closed,
)

/** Who did what, and when. */
export const auditRecordSchema = Type.Object({
  occurredAt: Type.String({ pattern: timestampTextPattern }),
  subject: Type.String(),
  action: Type.String({
    description:
      'The operation of the API, such as searchObjects, or commit, putGrant, removeGrant, moveOntology, forgetSource.',
  }),
  objectType: Type.Optional(Type.String()),
  version: Type.Optional(
    Type.String({ pattern: longTextPattern, description: 'Of a commit: the version that it made.' }),
  ),
  revision: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of a definition of a type: the revision that it became.' }),
  ),
  role: Type.Optional(grantRecordSchema.properties.role),
  principal: Type.Optional(grantRecordSchema.properties.principal),
  node: Type.Optional(Type.String({ description: 'Of a move: the node of the cluster that it went to.' })),
  source: Type.Optional(Type.String({ description: 'The name of a source that was forgotten.' })),
  walkId: Type.Optional(Type.String({ description: 'The same for all pages of a walk.' })),
  mode: Type.Optional(Type.Enum(['default', 'snapshot'])),
  endedBy: Type.Optional(Type.String({ description: 'Why a page ended, or that an outcome is unknown.' })),
  objectCount: Type.Optional(Type.Integer({ minimum: 0 })),
  byteCount: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type AuditRecord = Wire<typeof auditRecordSchema>

export const auditPageSchema = Type.Object({
  ...pageSchema(auditRecordSchema).properties,
  kept: Type.Boolean({ description: 'Whether this deployment keeps an audit.' }),
})
export type AuditPage = Wire<typeof auditPageSchema>
