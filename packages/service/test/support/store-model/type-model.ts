// What a type must contain at each version: every key with all its states, by version. It does not use SQL.
import type { ScalarType } from '@octavo/protocol'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import { compareSortKeys, sortKeyOf, type SortKey } from './compare-values.ts'

export type Properties = Readonly<Record<string, unknown>>

export type ModelChange =
  | { readonly kind: 'put'; readonly key: string; readonly properties: Properties }
  | { readonly kind: 'delete'; readonly key: string }

export interface ModelObject {
  readonly key: string
  readonly properties: Properties
  readonly sortKeys: ReadonlyMap<string, SortKey>
  /** The record text that was once read and found right, so that it is deeply compared only once. */
  verifiedText?: string
}

export interface ModelOrderKey {
  readonly property: string
  readonly direction: 'asc' | 'desc'
}

interface Entry {
  readonly version: bigint
  readonly object: ModelObject | undefined
}

export class TypeModel {
  readonly type: ObjectType
  readonly #entries = new Map<string, Entry[]>()
  readonly #scalars: readonly (readonly [string, ScalarType])[]
  #recorded = 0

  constructor(type: ObjectType) {
    this.type = type
    this.#scalars = Object.entries(type.definition.properties).flatMap(([name, { type: scalar }]) =>
      typeof scalar === 'string' ? [[name, scalar] as const] : [],
    )
  }

  /** How many changes were recorded. */
  get recorded(): number {
    return this.#recorded
  }

  /** Commits may be recorded in any order, because receipts arrive in any order. */
  record(version: bigint, changes: readonly ModelChange[]): void {
    for (const change of changes) {
      const entries = this.#entries.get(change.key) ?? []
      this.#entries.set(change.key, entries)
      const entry = { version, object: change.kind === 'put' ? this.#objectOf(change) : undefined }
      let place = entries.length
      while (place > 0 && (entries[place - 1]?.version ?? 0n) > version) place -= 1
      // If a commit has the same key twice, the last one wins.
      const replaces = entries[place - 1]?.version === version
      entries.splice(replaces ? place - 1 : place, replaces ? 1 : 0, entry)
      this.#recorded += 1
    }
  }

  objectAt(key: string, version: bigint): ModelObject | undefined {
    return this.#entries.get(key)?.findLast((entry) => entry.version <= version)?.object
  }

  /** All objects at a version, unordered. */
  objectsAt(version: bigint): ModelObject[] {
    const objects: ModelObject[] = []
    for (const entries of this.#entries.values()) {
      const object = entries.findLast((entry) => entry.version <= version)?.object
      if (object !== undefined) objects.push(object)
    }
    return objects
  }

  /** Whether the key had an object at every version from the first to the last. */
  livedThrough(key: string, first: bigint, last: bigint): boolean {
    if (this.objectAt(key, first) === undefined) return false
    const within = this.#entries.get(key)?.filter(({ version }) => version > first && version <= last) ?? []
    return within.every(({ object }) => object !== undefined)
  }

  inOrder(objects: readonly ModelObject[], order: readonly ModelOrderKey[]): ModelObject[] {
    const { property } = this.type.key
    const last = order.at(-1)
    const keys =
      last?.property === property ? order : [...order, { property, direction: last?.direction ?? 'asc' }]
    return objects.toSorted((a, b) => {
      for (const key of keys) {
        const compared = compareInDirection(a.sortKeys.get(key.property), b.sortKeys.get(key.property), key)
        if (compared !== 0) return compared
      }
      return 0
    })
  }

  #objectOf({ key, properties }: ModelChange & { readonly kind: 'put' }): ModelObject {
    const sortKeys = this.#scalars.map(
      ([name, scalar]) => [name, sortKeyOf(scalar, properties[name])] as const,
    )
    return { key, properties, sortKeys: new Map(sortKeys) }
  }
}

function compareInDirection(
  a: SortKey | undefined = null,
  b: SortKey | undefined = null,
  { direction }: ModelOrderKey,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction === 'asc' ? compareSortKeys(a, b) : -compareSortKeys(a, b)
}
