import type { ObjectType } from '../../catalog/object-type.ts'
import type { LineCondition } from '@octavo/protocol'
import type { CanonicalObject } from './canonicalise-object.ts'

export type Change =
  | { readonly kind: 'put'; readonly object: CanonicalObject }
  | { readonly kind: 'delete'; readonly key: string }

/** Sets some properties of an object. It becomes a put once the object as it is has been read (resolve-merges.ts). */
export interface Merge {
  readonly kind: 'merge'
  readonly key: string
  /** A JSON object of canonical values, with the key; null where the object is to have no value. */
  readonly properties: string
  /** The line of the batch: whether it can be applied is known only after all lines have been read. */
  readonly line: number
}

export interface TypeChanges<AnyChange = Change> {
  readonly type: ObjectType
  readonly changes: readonly AnyChange[]
}

/** What a line says of its object before the batch. */
export interface Condition {
  readonly key: string
  readonly line: number
  readonly wanted: LineCondition
}

/** What a batch has: its merges are not changes yet. */
export interface TypeLines extends TypeChanges<Change | Merge> {
  readonly conditions?: readonly Condition[]
}

export const keyOf = (change: Change | Merge): string =>
  change.kind === 'put' ? change.object.key : change.key

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
export const valuesOf = ({ columns }: ObjectType, change: Change | Merge): number =>
  change.kind === 'delete' ? 2 : 4 + columns.length

/** The size of the object's JSON in bytes, as pages count it; of a merge, that of the JSON it has. */
export function sizeOf(change: Change | Merge): number {
  if (change.kind === 'delete') return 0
  if (change.kind === 'merge') return Buffer.byteLength(change.properties)
  return Buffer.byteLength(change.object.scalars) + Buffer.byteLength(change.object.others ?? '')
}
