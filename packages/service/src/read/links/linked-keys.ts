// The keys that a link compares, where few objects of the other type match.
import { invariant } from '../../base/errors/invariant.ts'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import { everything, type Filter } from '../../catalog/filter/filter.ts'
import type { Link } from '../../catalog/links.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { countMatches } from '../rows/numbers/count-matches.ts'
import { estimateMatches } from '../rows/numbers/estimate-matches.ts'
import { parsedRecords, type ParsedRecord } from '../rows/page/page-rows.ts'
import { readPageAnywhere } from '../rows/page/read-page-anywhere.ts'
import type { RowSources } from '../rows/state/row-sources.ts'

/** An estimate may be wrong: only if it is this many times too much, nothing is read. */
const estimateFactor = 4

export interface WantedKeys {
  readonly link: Link
  /** Which objects of the other type are meant. */
  readonly filter: Filter
  /** A policy may hide some of them: an estimate would show those, too, because aggregates are priced by what a link becomes. */
  readonly isGuarded: boolean
  readonly plan: () => Promise<PagePlan>
}

/** Undefined if there are more than a filter can list. */
export async function linkedKeys(
  { store, signal }: { readonly store: RowSources; readonly signal?: AbortSignal | undefined },
  { link, filter, isGuarded, plan: planned }: WantedKeys,
): Promise<readonly string[] | undefined> {
  const most = store.mostLinkedKeys
  if (filter !== everything && !isGuarded) {
    const [matches] = await estimateMatches(store, link.to, [filter], ['current'])
    if ((matches?.objects ?? 0) > most * estimateFactor) return undefined
  }
  const plan = await planned()
  if (filter === everything && (await countMatches(store, plan, signal)).count > most) return undefined
  const rows = await readPageAnywhere(store, plan, { signal })
  const records = rows.more ? [] : parsedRecords(rows)
  rows.giveBack?.()
  if (rows.more) return undefined
  // Those that objects of the other side hold, or their own.
  const keys = new Set(
    records.flatMap((record) => (link.holder === 'from' ? [record.primaryKey] : heldKeys(link, record))),
  )
  return keys.size > most ? undefined : [...keys]
}

/** The keys that an object holds, as the column of the key has them. */
export function heldKeys(link: Link, { properties }: ParsedRecord): readonly string[] {
  const held = properties[link.property] ?? []
  const of = link.holder === 'from' ? link.to : link.from
  return (Array.isArray(held) ? held : [held]).map((key) => columnText(of, key))
}

function columnText({ key }: ObjectType, value: unknown): string {
  const canonical = canonicalScalar(key.scalar, value)
  invariant('column' in canonical, 'stored-key-is-not-canonical')
  return canonical.column
}
