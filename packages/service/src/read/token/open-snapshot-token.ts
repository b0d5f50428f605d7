import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Captured } from './captured-by.ts'
import type { NamedVersion } from './snapshot-claims.ts'
import type { TokenSealer } from './token-sealer.ts'

export interface SnapshotOf {
  readonly ontology: Pick<Ontology, 'rid'>
  readonly type: Pick<ObjectType, 'id' | 'apiName'>
}

/** The version of the type that the request names, if it names one. It may be gone: whoever reads there finds out (P36). */
export function openNamed(
  sealer: TokenSealer,
  { snapshotToken: token }: { readonly snapshotToken?: string | undefined },
  { ontology, type }: SnapshotOf,
): (Captured & Pick<NamedVersion, 'view'>) | undefined {
  if (token === undefined) return undefined
  const named = sealer.openSnapshot(token)
  if (named === undefined) {
    const reason = sealer.open(token) === undefined ? 'malformed' : 'pageToken'
    throw new ServiceError('InvalidSnapshotToken', { reason })
  }
  if (named.ontologyRid !== ontology.rid)
    throw new ServiceError('InvalidSnapshotToken', { reason: 'otherOntology' })
  const version = named.versions.get(type.id)
  if (version === undefined)
    throw new ServiceError('InvalidSnapshotToken', { reason: 'otherObjectType', objectType: type.apiName })
  return { kind: 'snapshot', ...version }
}
