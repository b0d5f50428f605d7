import type { SnapshotToken } from '@octavo/protocol'
import type { Claims } from '../../catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { NamedVersion } from './snapshot-claims.ts'
import type { SnapshotOf } from './open-snapshot-token.ts'
import type { TokenSealer } from './token-sealer.ts'
import { viewOf } from './view-of.ts'
import type { LinkedStates } from './walk.ts'

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
