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

export interface SnapshotOfTypes {
  readonly ontology: Pick<Ontology, 'rid'>
  readonly types: readonly ObjectType[]
  readonly claims: Claims
}

/**
 * The token of one state of several object types. It may be the beginning of a feed of changes, which depends on what its caller may
 * read.
 */
export function sealSnapshotOfTypes(
  sealer: TokenSealer,
  states: LinkedStates,
  { ontology, types, claims }: SnapshotOfTypes,
): SnapshotToken {
  const views = new Map(types.map((type) => [type.id, viewOf(type, claims)]))
  return sealer.sealSnapshot({
    ontologyRid: ontology.rid,
    versions: new Map(
      [...states].map(([id, { version, tag }]) => [id, { version, tag, view: views.get(id) }]),
    ),
  }) as SnapshotToken
}

/** The token of one state of one object type. */
export const sealSnapshotToken = (
  sealer: TokenSealer,
  { version, tag, view }: NamedVersion,
  { ontology, type }: SnapshotOf,
): SnapshotToken =>
  sealer.sealSnapshot({
    ontologyRid: ontology.rid,
    versions: new Map([[type.id, { version, tag, view }]]),
  }) as SnapshotToken

/**
 * A fingerprint of which objects a caller may read; undefined for all. A state that was read with another view is not the one that
 * changes are told from (P275).
 */
export function viewOf(type: ObjectType, claims: Claims): string | undefined {
  const policy = policyFilter(type, claims)
  if (policy === everything) return undefined
  return hash('sha256', JSON.stringify(policy), 'hex').slice(0, 2 * viewBytes)
}
