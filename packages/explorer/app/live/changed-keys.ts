// What has changed since the state that the table shows, by primary keys.
import type { FoundObject } from '@octavo/client'
import { batch, signal } from '@preact/signals'

export type ChangeKind = 'put' | 'delete'

/** The objects that have just changed: their rows light up for a moment. Those that are gone stay struck through. */
export const changedKeys = signal<ReadonlyMap<string, ChangeKind>>(new Map())

/** As they are now. */
export const newerObjects = signal<ReadonlyMap<string, FoundObject>>(new Map())

/** More than anybody can see; the oldest are forgotten. */
const mostKept = 2_000
const litMilliseconds = 1_800

const lastOf = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  map.size <= mostKept ? map : new Map([...map].slice(-mostKept))

export interface SeenChange {
  readonly primaryKey: string
  /** Absent if it was deleted, or does not match any more. */
  readonly object: FoundObject | undefined
}

export function showChanges(changes: readonly SeenChange[]): void {
  const kinds = new Map(changedKeys.value)
  const newer = new Map(newerObjects.value)
  for (const { primaryKey, object } of changes) {
    kinds.set(primaryKey, object === undefined ? 'delete' : 'put')
    if (object !== undefined) newer.set(primaryKey, object)
  }
  batch(() => {
    changedKeys.value = lastOf(kinds)
    newerObjects.value = lastOf(newer)
  })
  const lit = changes.filter(({ object }) => object !== undefined)
  setTimeout(() => {
    const rest = new Map(changedKeys.value)
    for (const { primaryKey } of lit) if (rest.get(primaryKey) === 'put') rest.delete(primaryKey)
    changedKeys.value = rest
  }, litMilliseconds)
}

export const forgetChanges = (): void =>
  batch(() => {
    changedKeys.value = new Map()
    newerObjects.value = new Map()
  })
