import type { ObjectType } from '../../catalog/object-type.ts'
import type { CanonicalObject } from './canonicalise-object.ts'

export type Change =
  | { readonly kind: 'put'; readonly object: CanonicalObject }
  | { readonly kind: 'delete'; readonly key: string }

export interface TypeChanges {
  readonly type: ObjectType
  readonly changes: readonly Change[]
}

export const keyOf = (change: Change): string => (change.kind === 'put' ? change.object.key : change.key)

/** Where a batch has the same key twice, the last change wins. */
export function lastChanges(changes: readonly Change[]): readonly Change[] {
  const byKey = new Map<string, Change>()
  for (const change of changes) byKey.set(keyOf(change), change)
  return byKey.size === changes.length ? changes : [...byKey.values()]
}

/**
 * How many parameter values the change has in a statement. The driver serialises all values of a statement in one go, so this
 * number bounds the memory and the time for which it blocks the event loop: 8 MiB may be a thousand values or tens of millions.
 */
export const valuesOf = ({ columns }: ObjectType, change: Change): number =>
  change.kind === 'put' ? 4 + columns.length : 2

/** The size of the object's JSON in bytes, as pages count it. */
export const sizeOf = (change: Change): number =>
  change.kind === 'put'
    ? Buffer.byteLength(change.object.scalars) + Buffer.byteLength(change.object.others ?? '')
    : 0
