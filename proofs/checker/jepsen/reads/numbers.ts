// Numbers about a state: counts and aggregates.
import type { Totals } from '../answers.ts'
import { filterByChance } from '../filters.ts'
import { readTypes } from '../history.ts'
import { expected, type Run } from '../run.ts'
import { canonical, type Thing } from '../state.ts'
import { often } from '../things.ts'
import { answered } from './pages.ts'
import { anySnapshot, taken } from './snapshot.ts'

export async function count(run: Run): Promise<void> {
  const { chance, things } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const filter = filterByChance(chance, things, type === 'item')
  const state = filter.isLinked
    ? await taken(run, caller, { objectTypes: ['item', 'owner'] })
    : await anySnapshot(run, caller, type)
  if (state === undefined) return
  const { snapshot } = state
  const answer = await answered<Totals & { readonly version: string }>(run, caller, {
    method: 'POST',
    path: `${run.paths.typed(type)}/count`,
    body: { query: filter.query, snapshotToken: snapshot?.token },
  })
  if (answer === undefined) return
  run.later(() => {
    run.count('checked count')
    const [version, ownersVersion] = [Number(answer.version), snapshot?.versions['owner']]
    const want = expected(run, { caller, type, version, filter, ownersVersion }).length
    if (Number(answer.totalCount) !== want || answer.totalCountIsLowerBound === true)
      run.violation('count', { answer, want, query: filter.query, type, groups: caller.groups })
  })
}

interface Aggregated {
  readonly version: string
  readonly data: readonly {
    readonly group: Readonly<Record<string, string | null>>
    readonly metrics: readonly { readonly name: string; readonly value?: number | string }[]
  }[]
}

const metrics = [
  { type: 'count' },
  { type: 'sum', field: 'n' },
  { type: 'min', field: 'n' },
  { type: 'max', field: 'price' },
  { type: 'exactDistinct', field: 'cat' },
]

export async function aggregate(run: Run): Promise<void> {
  const { chance, things } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const filter = filterByChance(chance, things)
  const state = await anySnapshot(run, caller, type)
  if (state === undefined) return
  const isGrouped = often(chance, 6)
  const asked = often(chance, 3) ? metrics.slice(0, 1) : metrics
  const answer = await answered<Aggregated>(run, caller, {
    method: 'POST',
    path: `${run.paths.typed(type)}/aggregate`,
    body: {
      query: filter.query,
      snapshotToken: state.snapshot?.token,
      aggregation: asked,
      groupBy: isGrouped ? [{ type: 'exact', field: 'cat', includeNullValues: true }] : undefined,
    },
  })
  if (answer === undefined) return
  run.later(() => {
    run.count('checked aggregate')
    const version = Number(answer.version)
    const all = expected(run, { caller, type, version, filter })
    const groupOf = (cat: string | null | undefined): string =>
      isGrouped ? JSON.stringify(cat ?? null) : 'all'
    const want = new Map(
      (isGrouped ? [...Map.groupBy(all, ({ cat }) => groupOf(cat))] : [['all', all] as const]).map(
        ([group, members]) => [group, metricsOf(members, asked.length > 1)],
      ),
    )
    const got = new Map(
      answer.data.map(({ group, metrics: values }) => [
        groupOf(group['cat']),
        canonical(
          Object.fromEntries(
            values.map(({ name, value }) => [
              name,
              name.startsWith('price') && value != null ? Number(value) : (value ?? null),
            ]),
          ),
        ),
      ]),
    )
    const wrong = [...new Set([...want.keys(), ...got.keys()])].filter(
      (group) => got.get(group) !== want.get(group),
    )
    if (wrong.length === 0) return
    const details = wrong.map((group) => ({ group, got: got.get(group), want: want.get(group) }))
    run.violation('aggregate', { details, query: filter.query, type, version, groups: caller.groups })
  })
}

/** Each metric with its value. */
function metricsOf(things: readonly Thing[], isAll: boolean): string {
  const ns = things.flatMap(({ n }) => n ?? [])
  const prices = things.flatMap(({ price }) => (price == null ? [] : [Number(price)]))
  const cats = new Set(things.flatMap(({ cat }) => cat ?? []))
  return canonical({
    count: things.length,
    ...(isAll && {
      'n.sum': ns.reduce((sum, n) => sum + n, 0),
      'n.min': ns.length === 0 ? null : Math.min(...ns),
      'price.max': prices.length === 0 ? null : Math.max(...prices),
      'cat.exactDistinct': cats.size,
    }),
  })
}
