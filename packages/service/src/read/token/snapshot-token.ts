// The token of a state: of one object type, or of several.
import { hash } from 'node:crypto'
import type { SnapshotToken } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { everything } from '../../catalog/filter/filter.ts'
import { policyFilter, type Claims } from '../../catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { viewBytes, type NamedVersion } from './snapshot-claims.ts'
import type { TokenSealer } from './token-sealer.ts'
import type { Captured, LinkedStates } from './walk.ts'

/** Of which request a state is named. */
interface NamingContext {
  readonly service: { readonly sealer: TokenSealer }
  readonly ontology: Pick<Ontology, 'rid'>
  readonly type: Pick<ObjectType, 'id' | 'apiName'>
  readonly request: { readonly snapshotToken?: string | undefined }
}

/** The version of the type that the request names, if it names one. It may be gone, which the read finds out (P36). */
export function openNamed({
  service: { sealer },
  ontology,
  type,
  request: { snapshotToken },
}: NamingContext): (Captured & Pick<NamedVersion, 'view'>) | undefined {
  if (snapshotToken === undefined) return undefined
  const snapshot = sealer.openSnapshot(snapshotToken)
  if (snapshot === undefined) {
    const reason = sealer.open(snapshotToken) === undefined ? 'malformed' : 'pageToken'
    throw new ServiceError('InvalidSnapshotToken', { reason })
  }
  if (snapshot.ontologyRid !== ontology.rid)
    throw new ServiceError('InvalidSnapshotToken', { reason: 'otherOntology' })
  const version = snapshot.versions.get(type.id)
  if (version === undefined)
    throw new ServiceError('InvalidSnapshotToken', { reason: 'otherObjectType', objectType: type.apiName })
  return { kind: 'snapshot', ...version }
}

/**
 * The token of one state of some object types. It may be the beginning of a feed of changes, which depends on what its caller may
 * read.
 */
export const sealSnapshotToken = (
  {
    service: { sealer },
    ontology,
    caller,
  }: Pick<NamingContext, 'service' | 'ontology'> & { readonly caller: { readonly claims: Claims } },
  types: readonly ObjectType[],
  states: LinkedStates,
): SnapshotToken => {
  const views = new Map(types.map((type) => [type.id, viewOf(type, caller.claims)]))
  return sealer.sealSnapshot({
    ontologyRid: ontology.rid,
    versions: new Map(
      [...states].map(([id, { version, tag }]) => [id, { version, tag, view: views.get(id) }]),
    ),
  }) as SnapshotToken
}

/**
 * A fingerprint of which objects a caller may read; undefined for all. A state that was read with another view is not the one that
 * changes start from (P275).
 */
export function viewOf(type: ObjectType, claims: Claims): string | undefined {
  const policy = policyFilter(type, claims)
  if (policy === everything) return undefined
  return hash('sha256', JSON.stringify(policy), 'hex').slice(0, 2 * viewBytes)
}
