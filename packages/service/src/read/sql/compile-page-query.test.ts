import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { pagePlanOf } from '../../../test/support/page-plan-of.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { formattedSql } from '../../../test/support/formatted-sql.ts'
import { compilePageQuery } from './compile-page-query.ts'
import { defineType, struct } from '../../../test/support/define-type.ts'

const type = unsavedType(employeeDefinition)
const planOf = (plan: Partial<PagePlan>): PagePlan =>
  pagePlanOf(plan.type ?? type, { record: '1.0', pageSize: 10, byteBudget: 1000, ...plan })
const declared = chooseOrder(type, [
  { property: 'department', direction: 'asc' },
  { property: 'age', direction: 'desc' },
])

it('the first page in key order is one range of the primary key', async () => {
  const query = compilePageQuery(planOf({}), { cutAtBudget: false, withEscapes: true })
  await expect(formattedSql(query.text)).toMatchFileSnapshot('compile-page-query/first-page-in-key-order.sql')
  expect(query.values).toMatchInlineSnapshot(`
    [
      " ",
      "}},
    {"rid":"ri.ontology.main.object.00000000-0000-4000-8000-000000000001.",
      "","properties":{",
      1,
    ]
  `)
})

it('a later page of a snapshot in a declared order is four ranges on each table and epoch', async () => {
  const plan = planOf({
    record: '2.0',
    order: declared,
    position: ['Sales', '40', 'e7'],
    at: { kind: 'snapshot', version: '12', tag: 'a', epochs: { from: '3', count: 2 } },
  })
  const query = compilePageQuery(plan, { cutAtBudget: true, withEscapes: true })
  await expect(formattedSql(query.text)).toMatchFileSnapshot(
    'compile-page-query/later-page-of-a-snapshot.sql',
  )
  expect(query.values).toMatchInlineSnapshot(`
    [
      " ",
      "12",
      1,
      "}},
    {"primaryKey":",
      ","objectType":"employee","properties":{",
      "\\",
      "}},
    {"primaryKey":"",
      "","objectType":"employee","title":"",
      "","properties":{",
      "}},
    {"primaryKey":",
      ","objectType":"employee","title":",
      ","properties":{",
      "Sales",
      "40",
      "e7",
      "12",
      "3",
      "Sales",
      "12",
      "3",
      "Sales",
      "12",
      "3",
      "12",
      "3",
      1000,
      1,
    ]
  `)
})

it('a nullable property from the greatest value down is two ranges: its values, then its nulls', async () => {
  const order = chooseOrder(type, [{ property: 'age', direction: 'desc' }])
  const query = compilePageQuery(planOf({ order, at: { kind: 'capture' } }), {
    cutAtBudget: false,
    withEscapes: true,
  })
  await expect(formattedSql(query.text)).toMatchFileSnapshot(
    'compile-page-query/nullable-property-descending.sql',
  )
})

const textAfter = (position: readonly string[]) =>
  compilePageQuery(planOf({ order: declared, position }), { cutAtBudget: true, withEscapes: true }).text

it('the text depends on the shape of a request and never on its values', () => {
  expect(textAfter(['Sales', '40', 'e7'])).toBe(textAfter(['Research', '41', 'e8']))
})

const marker = 'Zq'
const name = fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/).map((rest) => `${marker}${rest}`)
const value = fc.string({ unit: 'binary' }).map((rest) => `${marker}'"\\; --${rest}`)

it('no name and no value from outside is ever in the text', () => {
  const cases = fc.record({
    names: fc.uniqueArray(name, { minLength: 3, maxLength: 3, selector: (each) => each.toLowerCase() }),
    apiName: name,
    values: fc.tuple(value, value, value),
    record: fc.constantFrom('1.0', '2.0'),
    at: fc.constantFrom('latest', 'capture', 'snapshot'),
    direction: fc.constantFrom('asc', 'desc'),
    cutAtBudget: fc.boolean(),
    withEscapes: fc.boolean(),
  })
  fc.assert(
    fc.property(
      cases,
      ({
        names: [key = '', first = '', second = ''],
        apiName,
        values,
        record,
        at,
        direction,
        cutAtBudget,
        withEscapes,
      }) => {
        const definition = defineType(
          apiName,
          {
            [key]: 'string',
            [first]: 'string sortable',
            [second]: struct({ [`${marker}c`]: 'string' }, 'searchable'),
          },
          {
            displayName: `${marker} text`,
            titleProperty: first,
            orders: [
              {
                fields: [
                  { field: first, direction },
                  { field: key, direction: 'asc' },
                ],
              },
            ],
          },
        )
        const fuzzed = unsavedType(definition)
        const wanted = [
          { property: first, direction },
          { property: key, direction: 'asc' },
        ] as const
        const query = compilePageQuery(
          planOf({
            type: fuzzed,
            record,
            order: chooseOrder(fuzzed, wanted),
            position: values.slice(0, 2),
            at: at === 'snapshot' ? { kind: at, version: values[2], tag: 'a' } : { kind: at },
          }),
          { cutAtBudget, withEscapes },
        )
        expect(query.text).not.toContain(marker)
        // Every parameter is cast to its type, and there are as many placeholders as values.
        const places = [...query.text.matchAll(/\$([0-9]+)(.{2})/g)]
        expect(places.every(([, , cast]) => cast === '::')).toBe(true)
        expect(new Set(places.map(([, place]) => place)).size).toBe(query.values.length)
      },
    ),
  )
})
