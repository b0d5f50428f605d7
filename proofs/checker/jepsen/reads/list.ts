// Lists of revision 1.0, whose filters are parameters and whose records have no arrays.
import type { Record1 } from '../answers.ts'
import { everything, type Filter } from '../filters.ts'
import { readTypes } from '../history.ts'
import { byCatAscending, byNDescending } from '../orders.ts'
import { compareObjects, expected, type Run } from '../run.ts'
import { cats } from '../things.ts'
import { allPages } from './pages.ts'
import { checkTotals, propertiesOf } from './walk.ts'

export async function list(run: Run): Promise<void> {
  const { chance } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const [wanted, limit] = [chance.one(cats), chance.below(20) - 10]
  const [parameters, matches] = chance.one<readonly [string, Filter['matches']]>([
    ['', () => true],
    [`&p.cat.eq=${encodeURIComponent(wanted)}`, ({ cat }) => cat === wanted],
    [`&p.n.gte=${limit}`, ({ n }) => n != null && n >= limit],
    ['&p.n.isNull=true', ({ n }) => n == null],
    [
      `&p.tags.contains=t1&p.n.lt=${limit}`,
      ({ tags, n }) => (tags ?? []).includes('t1') && n != null && n < limit,
    ],
  ])
  const [order, compare] = chance.one([
    ['', undefined],
    ['&orderBy=p.n:desc', byNDescending],
    ['&orderBy=p.cat', byCatAscending],
  ] as const)
  const path = `${run.paths.list}/objects/${type}?snapshot=true${parameters}${order}`
  const walked = await allPages<Record1>(run, {
    caller,
    request: (pageToken) => ({
      method: 'GET',
      path: `${path}&pageSize=${1 + chance.below(200)}${pageToken === undefined ? '' : `&pageToken=${pageToken}`}`,
    }),
  })
  if (walked === undefined) return
  const { items, last } = walked
  const version = Number(last.version)
  run.later(() => {
    const want = expected(run, { caller, type, version, filter: { ...everything, matches } })
    compareObjects(run, {
      what: 'list',
      got: items.map(propertiesOf),
      want: want.map(({ tags: _tags, depts: _depts, ...scalars }) => scalars),
      compare,
      details: { type, version, path, groups: caller.groups },
    })
    checkTotals(run, 'list', { type, version, answer: last, want: want.length })
  })
}
