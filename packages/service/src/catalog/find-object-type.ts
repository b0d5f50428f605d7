import { nameHelp, type GrantRole } from '@octavo/protocol'
import type { Access } from '../guard/auth/access.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { requireRole } from '../guard/auth/require-role.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import type { ObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import type { Catalog } from './open-catalog.ts'

/** How a path identifies an ontology: by its rid or its API name; in revision 2.0 by an API family. */
export type OntologyTarget =
  | { readonly kind: 'ontology'; readonly ontology: string }
  | { readonly kind: 'family'; readonly apiFamily: string }

export type PageTarget = OntologyTarget & { readonly objectType: string }

export interface FindingSources {
  readonly store: { readonly catalog: Catalog }
  readonly access: Pick<Access, 'roles' | 'recheck'>
}

/** The ontologies on which the caller has a grant. For the caller no others exist (P120). */
export async function grantedOntologies(
  { store, access }: FindingSources,
  caller: Caller,
): Promise<readonly Ontology[]> {
  const roles = await access.roles(caller)
  return (await store.catalog.ontologies()).filter(({ rid }) => roles.has(rid))
}

export async function findOntology(
  sources: FindingSources,
  caller: Caller,
  target: OntologyTarget,
  requiredRole: GrantRole = 'reader',
): Promise<Ontology> {
  const found = (await grantedOntology(sources, caller, target)) ?? (await askAgain(sources, caller, target))
  if (found === undefined) throw notFound(target)
  requireRole(found.role, requiredRole)
  return found.ontology
}

/** The cache may be a second old. A caller who has just created an ontology must not get "not found". */
async function askAgain(sources: FindingSources, caller: Caller, target: OntologyTarget) {
  await sources.access.recheck()
  await sources.store.catalog.recheck()
  return grantedOntology(sources, caller, target)
}

interface GrantedOntology {
  readonly ontology: Ontology
  readonly role: GrantRole
}

async function grantedOntology(
  { store, access }: FindingSources,
  caller: Caller,
  target: OntologyTarget,
): Promise<GrantedOntology | undefined> {
  // Both are looked up, whatever the first one says: an ontology without a grant then takes as long as one that does not exist.
  const roles = await access.roles(caller)
  const ontology = await lookUp(store.catalog, target)
  const role = ontology && roles.get(ontology.rid)
  return ontology === undefined || role === undefined ? undefined : { ontology, role }
}

async function lookUp(catalog: Catalog, target: OntologyTarget): Promise<Ontology | undefined> {
  if (target.kind === 'family') return catalog.ontologyOfFamily(target.apiFamily)
  return isRid(target.ontology)
    ? catalog.ontology(target.ontology)
    : (await catalog.ontologies()).find(({ apiName }) => apiName === target.ontology)
}

/** No API name begins so. */
const isRid = (named: string): boolean => named.startsWith('ri.')

function notFound(target: OntologyTarget): ServiceError {
  if (target.kind === 'family') return new ServiceError('ApiFamilyNotFound', { apiFamily: target.apiFamily })
  return new ServiceError(
    'OntologyNotFound',
    isRid(target.ontology) ? { ontologyRid: target.ontology } : { apiName: target.ontology },
  )
}

export async function findObjectType(
  sources: FindingSources,
  caller: Caller,
  target: PageTarget,
  requiredRole?: GrantRole,
): Promise<{ readonly ontology: Ontology; readonly type: ObjectType }> {
  const ontology = await findOntology(sources, caller, target, requiredRole)
  const type = await sources.store.catalog.objectType(ontology, target.objectType)
  if (type === undefined) throw objectTypeNotFound(sources.store.catalog, ontology, target.objectType)
  return { ontology, type }
}

/** Only for a caller who may read the ontology, and so the names of its types. */
export const objectTypeNotFound = (
  catalog: Pick<Catalog, 'typeNames'>,
  ontology: Ontology,
  objectType: string,
): ServiceError =>
  new ServiceError('ObjectTypeNotFound', {
    objectType,
    ...nameHelp([objectType], catalog.typeNames(ontology)),
  })
