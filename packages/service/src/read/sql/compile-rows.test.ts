import type { Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { chooseOrder } from '../plan/choose-order.ts'
import type { OrderByKey } from '../request/page-request.ts'
import { listAccesses } from '../plan/list-accesses.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { resolveFilter } from '../../catalog/filter/resolve-filter.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { compileRows } from './compile-rows.ts'
import { Parameters } from '../../base/sql-query.ts'

const type = unsavedType(employeeDefinition)

interface Asked {
  readonly query: Query
  readonly orderBy?: readonly OrderByKey[]
  readonly way: 'scan' | 'gather'
  readonly position?: PagePlan['position']
}

function compiled({ query, orderBy = [], way, position }: Asked): string {
  const order = orderBy.length === 0 ? undefined : chooseOrder(type, orderBy)
  const wanted = { filter: resolveFilter(type, query), order, keyOrder: chooseOrder(type, []) }
  const access = listAccesses(type, wanted).find(({ kind }) => kind === way)
  if (access === undefined) throw new Error(`no ${way}`)
  const plan: PagePlan = {
    type,
    record: '1.0',
    order: access.order,
    position,
    at: { kind: 'latest' },
    pageSize: 10,
    byteBudget: 1_000,
    access,
  }
  const text = compileRows(plan, {
    parameters: new Parameters(),
    limit: '11',
    rowsAtMost: 11,
    columns: ['scalars'],
  })
  return text.replaceAll(
    /\bp\d+\b/g,
    (name) => type.columns.find((column) => column.name === name)?.property ?? name,
  )
}

it('the strings of a list come in the order of their column, whatever the collation of the database', () => {
  expect(compiled({ query: { type: 'in', field: 'notes', value: ['a', 'B'] }, way: 'scan' })).toContain(
    'select distinct left(given.one, 250) collate "C" as one',
  )
})

it('the values of a list come in the direction of the order', () => {
  const query: Query = { type: 'in', field: 'age', value: [1, 2] }
  const ordered = (direction: 'asc' | 'desc') =>
    compiled({ query, orderBy: [{ property: 'age', direction }], way: 'scan' })
  expect(ordered('asc')).toContain('order by 1 asc) as value')
  expect(ordered('desc')).toContain('order by 1 desc) as value')
})

it('after a position, a list continues within its value and starts afresh in later ones', () => {
  const text = compiled({
    query: { type: 'in', field: 'age', value: [1, 2] },
    orderBy: [{ property: 'age', direction: 'desc' }],
    way: 'scan',
    position: ['2', 'k'],
  })
  const [reached, later] = text.split('\nunion all\n(select found.')
  expect(reached).toMatch(/where given\.one = \$\d+::integer/)
  expect(reached).toMatch(/\(age, pk\) < \(\$\d+::integer, \$\d+::text\)/)
  expect(later).toMatch(/where given\.one < \$\d+::integer/)
  expect(later).not.toContain('(age, pk)')
})

it('gathered matches are put in order behind a fence, after the position, with nulls last in both directions', () => {
  const text = compiled({
    query: { type: 'contains', field: 'tags', value: 'x' },
    orderBy: [{ property: 'age', direction: 'desc' }],
    way: 'gather',
    position: [null, 'k'],
  })
  expect(text).toMatch(
    /where tags @> \$1::text\[\] offset 0\) as gathered where \(age is null and \(pk\) < \(\$2::text\)\) order by age desc nulls last, pk desc nulls last limit 11$/,
  )
})
