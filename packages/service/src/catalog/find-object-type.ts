import { ServiceError } from '../errors/service-error.ts'
import type { ObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import type { Catalog } from './open-catalog.ts'

/** How a path names an ontology: by its rid in revision 1.0, by an API family in revision 2.0. */
export type OntologyTarget =
  | { readonly kind: 'rid'; readonly ontologyRid: string }
  | { readonly kind: 'family'; readonly apiFamily: string }

export type PageTarget = OntologyTarget & { readonly objectType: string }

export async function findOntology(catalog: Catalog, target: OntologyTarget): Promise<Ontology> {
  if (target.kind === 'rid') {
    const ontology = await catalog.ontology(target.ontologyRid)
    if (ontology === undefined)
      throw new ServiceError('OntologyNotFound', { ontologyRid: target.ontologyRid })
    return ontology
  }
  const ontology = await catalog.ontologyOfFamily(target.apiFamily)
  if (ontology === undefined) throw new ServiceError('ApiFamilyNotFound', { apiFamily: target.apiFamily })
  return ontology
}

export async function findObjectType(
  catalog: Catalog,
  target: PageTarget,
): Promise<{ readonly ontology: Ontology; readonly type: ObjectType }> {
  const ontology = await findOntology(catalog, target)
  const type = await catalog.objectType(ontology, target.objectType)
  if (type === undefined) throw new ServiceError('ObjectTypeNotFound', { objectType: target.objectType })
  return { ontology, type }
}
