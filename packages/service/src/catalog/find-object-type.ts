import type { GrantRole } from '@octavo/protocol'
import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { requireRole } from '../auth/require-role.ts'
import { nameHelp } from '../errors/nearest-name.ts'
import { ServiceError } from '../errors/service-error.ts'
import { whenThere, type Soon } from '../memory/soon.ts'
import type { ObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import type { Catalog } from './open-catalog.ts'

/** How a path names an ontology: by its rid in revision 1.0, by an API family in revision 2.0. */
export type OntologyTarget =
  | { readonly kind: 'rid'; readonly ontologyRid: string }
  | { readonly kind: 'family'; readonly apiFamily: string }

export type PageTarget = OntologyTarget & { readonly objectType: string }

export interface FindingSources {
  readonly store: { readonly catalog: Catalog }
  readonly access: Pick<Access, 'roles' | 'recheck'>
}

/** Those on which the caller has a grant: to it there are no others (P120). */
export async function grantedOntologies(
  { store, access }: FindingSources,
  caller: Caller,
): Promise<readonly Ontology[]> {
  const roles = await access.roles(caller)
  return (await store.catalog.ontologies()).filter(({ rid }) => roles.has(rid))
}

export const findOntology = (
  sources: FindingSources,
  caller: Caller,
  target: OntologyTarget,
  requiredRole: GrantRole = 'reader',
): Soon<Ontology> =>
  whenThere(
    whenThere(
      grantedOntology(sources, caller, target),
      (known) => known ?? askAgain(sources, caller, target),
    ),
    (found) => {
      if (found === undefined) throw notFound(target)
      requireRole(found.role, requiredRole)
      return found.ontology
    },
  )

/** What is remembered may be a second old. Somebody who has just made an ontology is not told that there is none. */
async function askAgain(sources: FindingSources, caller: Caller, target: OntologyTarget) {
  await sources.access.recheck()
  await sources.store.catalog.recheck()
  return grantedOntology(sources, caller, target)
}

interface GrantedOntology {
  readonly ontology: Ontology
  readonly role: GrantRole
}

function grantedOntology(
  { store, access }: FindingSources,
  caller: Caller,
  target: OntologyTarget,
): Soon<GrantedOntology | undefined> {
  // Both are asked whatever the first one says: what is not granted costs as much as what does not exist.
  return whenThere(access.roles(caller), (roles) =>
    whenThere(lookUp(store.catalog, target), (ontology) => {
      const role = ontology && roles.get(ontology.rid)
      return ontology === undefined || role === undefined ? undefined : { ontology, role }
    }),
  )
}

const lookUp = (catalog: Catalog, target: OntologyTarget): Soon<Ontology | undefined> =>
  target.kind === 'rid' ? catalog.ontology(target.ontologyRid) : catalog.ontologyOfFamily(target.apiFamily)

const notFound = (target: OntologyTarget): ServiceError =>
  target.kind === 'rid'
    ? new ServiceError('OntologyNotFound', { ontologyRid: target.ontologyRid })
    : new ServiceError('ApiFamilyNotFound', { apiFamily: target.apiFamily })

export const findObjectType = (
  sources: FindingSources,
  caller: Caller,
  target: PageTarget,
  requiredRole?: GrantRole,
): Soon<{ readonly ontology: Ontology; readonly type: ObjectType }> =>
  whenThere(findOntology(sources, caller, target, requiredRole), (ontology) =>
    whenThere(sources.store.catalog.objectType(ontology, target.objectType), (type) => {
      if (type === undefined) throw objectTypeNotFound(sources.store.catalog, ontology, target.objectType)
      return { ontology, type }
    }),
  )

/** Only for a caller who may read the ontology, and so its types. */
export const objectTypeNotFound = (
  catalog: Pick<Catalog, 'typeNames'>,
  ontology: Ontology,
  objectType: string,
): ServiceError =>
  new ServiceError('ObjectTypeNotFound', {
    objectType,
    ...nameHelp([objectType], catalog.typeNames(ontology)),
  })
