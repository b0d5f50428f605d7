// What writers, readers and faults share while they run.
import type { Chance } from '../chances.ts'
import type { Asking, Caller } from './ask.ts'
import type { Filter } from './filters.ts'
import type { Findings } from './findings.ts'
import type { History, TypeName } from './history.ts'
import { byId, type Compare } from './orders.ts'
import type { Setting } from './setting.ts'
import { canonical, thingsOf, type Thing } from './state.ts'
import type { Things } from './things.ts'

export interface Run extends Asking, Findings, Setting {
  readonly chance: Chance
  readonly things: Things
  readonly history: History
  /** To do once every version that a reader can have seen is known. */
  readonly later: (check: () => void) => void
  readonly isGoingOn: () => boolean
  /** Resolves when no checks are made; writers and readers begin nothing while they are. */
  readonly turn: () => Promise<void>
}

/** What a caller sees of a type. */
const isSeenBy =
  ({ groups }: Caller, type: TypeName) =>
  ({ depts }: Thing): boolean =>
    type !== 'doc' || (depts ?? []).some((dept) => groups.includes(dept))

export interface Wanted {
  readonly caller: Caller
  readonly type: TypeName
  readonly version: number
  readonly filter: Filter
  /** For a filter that asks for something of owners. */
  readonly ownersVersion?: number | undefined
}

export function expected({ history }: Run, wanted: Wanted): readonly Thing[] {
  const { caller, type, version, filter, ownersVersion } = wanted
  const owners =
    filter.isLinked && ownersVersion !== undefined ? thingsOf(history.owner.at(ownersVersion)) : []
  const byKey = new Map(owners.map((owner) => [owner.id, owner]))
  const isSeen = isSeenBy(caller, type)
  return thingsOf(history[type].at(version)).filter((thing) => isSeen(thing) && filter.matches(thing, byKey))
}

/** Whether a caller sees an object, and which. */
export function seenObject({ history }: Run, caller: Caller, type: TypeName, version: number, key: string) {
  const object = history[type].at(version).get(key)
  return object !== undefined && isSeenBy(caller, type)(JSON.parse(object) as Thing) ? object : undefined
}

export interface Comparison {
  readonly what: string
  readonly got: readonly object[]
  readonly want: readonly object[]
  /** Without it, any order is right. */
  readonly compare?: Compare | undefined
  /** The properties that were asked for. */
  readonly select?: readonly string[] | undefined
  readonly details: object
}

/** The same objects, each as often, with the same values, in the order that was asked for. */
export function compareObjects(
  { count, violation }: Findings,
  { what, got, want, compare, select, details }: Comparison,
): void {
  count(`checked ${what}`)
  count('objects compared', got.length)
  const textOf = (object: object): string =>
    canonical(
      select === undefined
        ? object
        : Object.fromEntries(
            Object.entries(object).filter(([name]) => name === 'id' || select.includes(name)),
          ),
    )
  const texts = (objects: readonly object[]) => {
    const made = objects.map(textOf)
    return compare === undefined ? made.toSorted() : made
  }
  const gotTexts = texts(got)
  const wantTexts = texts(compare === undefined ? want : (want as readonly Thing[]).toSorted(compare))
  if (gotTexts.length === wantTexts.length && gotTexts.every((text, i) => text === wantTexts[i])) return
  const [gotSet, wantSet] = [new Set(gotTexts), new Set(wantTexts)]
  violation(what, {
    ...details,
    got: gotTexts.length,
    want: wantTexts.length,
    repeated: gotTexts.length - gotSet.size,
    missing: wantTexts.filter((text) => !gotSet.has(text)).slice(0, 3),
    extra: gotTexts.filter((text) => !wantSet.has(text)).slice(0, 3),
  })
}

/** An order that was not asked for is by primary key where everything is read. */
export const unaskedOrder = byId
