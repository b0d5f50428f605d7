// From objects to the objects that they are linked to: a search of the other type.
import type { Query } from '@octavo/protocol'
import { findObjectType, type PageTarget } from '../../catalog/find-object-type.ts'
import { findLink, type Link } from '../../catalog/links.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from './page-service.ts'

export interface LinkTarget {
  readonly caller: Caller
  /** The type that the link starts at. */
  readonly target: PageTarget
  readonly link: string
}

export async function linkAt(
  service: PageService,
  { caller, target, link: name }: LinkTarget,
): Promise<{ readonly ontology: Ontology; readonly link: Link }> {
  const { catalog } = service.store
  const { ontology, type } = await findObjectType(service, caller, target)
  const link = await catalog.withFreshTypes(ontology, async () => {
    const types = await catalog.objectTypes(ontology)
    return findLink(types.find(({ id }) => id === type.id) ?? type, types, name)
  })
  return { ontology, link }
}

/** The objects that the link leads to from those that match the query. */
export const linkedTo = ({ reverse }: Pick<Link, 'reverse'>, query: Query): Query => ({
  type: 'linked',
  link: reverse,
  query,
})
