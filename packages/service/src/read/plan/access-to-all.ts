import { allOf, type Filter } from '../../catalog/filter/filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Access } from './access.ts'
import { listAccesses } from './list-accesses.ts'
import type { PageOrder } from './page-order.ts'

export interface WantedMatches {
  /** What the caller may read, and what was asked for. */
  readonly policy: Filter
  readonly asked: Filter
  readonly keyOrder: PageOrder
}

/**
 * How all matches are found where a policy may hide objects. It is chosen by the request alone, and passes over hidden objects before
 * anything is counted: so whether there are too many to be read tells nothing of them.
 */
export function accessToAll(type: ObjectType, { policy, asked, keyOrder }: WantedMatches): Access {
  const filter = allOf([policy, asked])
  const accesses = listAccesses(type, { filter, order: keyOrder, keyOrder })
  const gather = accesses.find(({ kind }) => kind === 'gather')
  return gather ?? { kind: 'scan', order: keyOrder, within: policy, check: asked }
}
