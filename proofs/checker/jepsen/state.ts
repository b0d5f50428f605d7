// What a type holds, and what a commit makes of it.

/** The properties of an object. */
export interface Thing {
  readonly id: string
  readonly n?: number | null
  readonly cat?: string | null
  readonly tags?: readonly string[] | null
  readonly note?: string | null
  readonly price?: string | null
  readonly ownerId?: string | null
  readonly depts?: readonly string[] | null
  readonly big?: string
  readonly stamp?: number
  readonly name?: string
  readonly level?: number | null
}

/** The canonical text of each object's properties, by primary key. */
export type State = ReadonlyMap<string, string>

export type Change =
  | { readonly type: 'put' | 'merge'; readonly properties: Thing }
  | { readonly type: 'delete'; readonly primaryKey: string }

/** JSON with the members of each object in order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

const thingOf = (properties: string): Thing => JSON.parse(properties) as Thing
export const thingsOf = (state: State): readonly Thing[] => [...state.values()].map(thingOf)

/** A property that is null is none. */
const withoutNulls = (thing: object): string =>
  canonical(Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null)))

export function applied(state: State, changes: readonly Change[], isReplaced: boolean): State {
  const next = new Map(isReplaced ? [] : state)
  for (const change of changes) {
    if (change.type === 'delete') next.delete(change.primaryKey)
    else {
      const { type, properties } = change
      const before = type === 'merge' ? next.get(properties.id) : undefined
      next.set(properties.id, withoutNulls({ ...(before && thingOf(before)), ...properties }))
    }
  }
  return next
}
