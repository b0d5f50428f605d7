import type { SnapshotToken } from '@octavo/protocol'
import type { NamedVersion } from './snapshot-claims.ts'
import type { SnapshotOf } from './open-snapshot-token.ts'
import type { TokenSealer } from './token-sealer.ts'

/** The token of one state of one object type. */
export const sealSnapshotToken = (
  sealer: TokenSealer,
  { version, tag }: NamedVersion,
  { ontology, type }: SnapshotOf,
): SnapshotToken =>
  sealer.sealSnapshot({
    ontologyRid: ontology.rid,
    versions: new Map([[type.id, { version, tag }]]),
  }) as SnapshotToken
