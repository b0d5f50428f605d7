import { auditParametersSchema, pageSizes, type AuditPage, type PageToken } from '@octavo/protocol'
import { ServiceError } from '../base/errors/service-error.ts'
import { findOntology } from '../catalog/find-object-type.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { parsePaging } from '../read/request/parse-paging.ts'
import { oneValue, refuseUnknown, type QueryParameters } from '../read/request/query-parameters.ts'
import { identityOf } from '../read/request/request-identity.ts'
import { openWalk } from '../read/token/open-walk.ts'
import { tokenBinding } from '../read/token/token-binding.ts'
import type { ManageService } from './manage-service.ts'
import { readAudit } from './read-audit.ts'

const parameterNames = Object.keys(auditParametersSchema.properties)

export interface AuditArrival {
  readonly caller: Caller
  /** Its rid or its API name. */
  readonly ontology: string
  readonly parameters: QueryParameters
}

export async function serveAudit(
  service: ManageService,
  { caller, ontology: named, parameters }: AuditArrival,
): Promise<AuditPage> {
  refuseUnknown(Object.keys(parameters), parameterNames)
  const { pageSize, pageToken } = parsePaging(parameters, pageSizes.manage)
  const [subject, objectType] = [textValue(parameters, 'subject'), textValue(parameters, 'objectType')]
  const ontology = await findOntology(service, caller, { kind: 'ontology', ontology: named }, 'owner')
  // The wanted caller stands where other lists have a query.
  const identity = identityOf({
    endpoint: 'listAudit',
    ontology: ontology.rid,
    objectType,
    query: JSON.stringify(subject ?? null),
  })
  const nameOf = (part: string) => (part === 'query' ? 'subject' : part)
  const { walk, next: nextWalk } = openWalk(service, {
    pageToken,
    binding: tokenBinding(caller, identity),
    nameOf,
  })
  const [at, id] = walk?.position ?? []
  const before = at == null || id == null ? undefined : { at, id }
  const { records, next } = await readAudit(service.database, ontology, {
    subject,
    objectType,
    before,
    most: pageSize,
  })
  return {
    data: records,
    ...(next !== undefined && {
      nextPageToken: nextWalk(records.length).tokenAfter([next.at, next.id]) as PageToken,
    }),
    kept: service.audits,
  }
}

/** PostgreSQL has no text with a NUL. */
function textValue(parameters: QueryParameters, name: string): string | undefined {
  const value = oneValue(parameters, name)
  if (value?.includes('\0'))
    throw new ServiceError('InvalidParameterValue', {
      parameterId: name,
      parameterValue: value,
      expected: 'a text without the character U+0000',
    })
  return value
}
