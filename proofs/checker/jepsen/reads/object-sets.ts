// Object sets of revision v2.
import type { Page } from '../answers.ts'
import { filterByChance, isEverything, type Filter } from '../filters.ts'
import { readTypes } from '../history.ts'
import { byN, first, byId } from '../orders.ts'
import { compareObjects, expected, type Run } from '../run.ts'
import { often } from '../things.ts'
import { answered } from './pages.ts'
import { checkTotals } from './walk.ts'

/** A page holds all that can match. */
const pageSize = 1_000

export async function objectSets(run: Run): Promise<void> {
  const { chance, things } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const base = { type: 'base', objectType: type }
  const [a, b] = [filterByChance(chance, things), filterByChance(chance, things)]
  const setOf = (filter: Filter): object | undefined => {
    if (isEverything(filter)) return base
    return filter.where && { type: 'filter', objectSet: base, where: filter.where }
  }
  const objectSets = [setOf(a), setOf(b)]
  if (objectSets.includes(undefined)) return
  const [objectSet, matches] = chance.one<readonly [object | undefined, Filter['matches']]>([
    [objectSets[0], a.matches],
    [{ type: 'union', objectSets }, (...given) => a.matches(...given) || b.matches(...given)],
    [{ type: 'intersect', objectSets }, (...given) => a.matches(...given) && b.matches(...given)],
    [{ type: 'subtract', objectSets }, (...given) => a.matches(...given) && !b.matches(...given)],
  ])
  const isOrdered = often(chance, 3)
  const page = await answered<Page<Readonly<Record<string, unknown>>>>(run, caller, {
    method: 'POST',
    path: `${run.paths.v2}/objectSets/loadObjects`,
    body: {
      objectSet,
      snapshot: true,
      pageSize,
      excludeRid: true,
      orderBy: isOrdered ? { fields: [{ field: 'n', direction: 'asc' }] } : undefined,
    },
  })
  if (page === undefined) return
  const { data, nextPageToken } = page
  if (nextPageToken !== undefined) return run.count('object sets without end')
  const version = Number(page.version)
  run.later(() => {
    const want = expected(run, { caller, type, version, filter: { query: {}, matches } })
    compareObjects(run, {
      what: 'object set',
      got: data.map((object) =>
        Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('__'))),
      ),
      want,
      compare: isOrdered ? first(byN, byId) : undefined,
      details: { type, version, objectSet, groups: caller.groups },
    })
    checkTotals(run, 'object set', { type, version, answer: page, want: want.length })
  })
}
