import type { ObjectTypeDefinition } from '@octavo/protocol'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { employeeDefinition } from '../testing/employee.ts'
import { unsavedType } from '../testing/unsaved-type.ts'
import { compilePageQuery } from './compile-page-query.ts'

const type = unsavedType(employeeDefinition)
const planOf = (plan: Partial<PagePlan>): PagePlan => ({
  type,
  record: 'listed',
  order: chooseOrder(plan.type ?? type, []),
  position: undefined,
  at: { kind: 'latest' },
  pageSize: 10,
  byteBudget: 1000,
  ...plan,
})
const declared = chooseOrder(type, [
  { property: 'department', direction: 'asc' },
  { property: 'age', direction: 'desc' },
])

it('the first page in key order is one range of the primary key', () => {
  const query = compilePageQuery(planOf({}), { cutAtBudget: false })
  expect(query.text).toMatchInlineSnapshot(`
    "
    select k.version::text, k.floor::text, k.live::text, k.revision::text, k.largest::text, m.tag, m.live::text,
      p.found::text, p.written::text, true::text, p.last_0, p.first_head, p.body
    from octavo_example.clock k cross join (select null::text as tag, null::bigint as live) as m
    cross join (
      select count(*) as found, count(*) as written, (array_agg(head))[1] as first_head,
        string_agg(scalars, head) as body,
        (array_agg(key_0))[least(count(*), $1::integer - 1)] as last_0
      from (
        select pk::text as key_0, $2::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $3::text as head, scalars, others
        from (select * from ((select pk, scalars, others from octavo_example.t1_current order by pk asc nulls last limit 11)) as arms limit $1::integer) as rows
        offset 0
      ) as framed
    ) as p
    where k.object_type = $4::integer"
  `)
  expect(query.values).toMatchInlineSnapshot(`
    [
      11,
      "}},
    {"rid":"ri.ontology.main.object.00000000-0000-4000-8000-000000000001.",
      "","properties":{",
      1,
    ]
  `)
})

it('a later page of a snapshot in a declared order is four ranges on each table', () => {
  const plan = planOf({
    record: 'found',
    order: declared,
    position: ['Sales', '40', 'e7'],
    at: { kind: 'snapshot', version: '12' },
  })
  const query = compilePageQuery(plan, { cutAtBudget: true })
  expect(query.text).toMatchInlineSnapshot(`
    "
    select k.version::text, k.floor::text, k.live::text, k.revision::text, k.largest::text, m.tag, m.live::text,
      p.found::text, p.written::text, (case when p.found < $1::integer then (select count(*) from (select * from ((select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $5::bigint as alive from octavo_example.t1_current where p3 = $2::text and (p4, pk) < ($3::integer, $4::text) order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 = $2::text and (p4, pk) < ($3::integer, $4::text) and version_from <= $5::bigint and version_to > $5::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $7::bigint as alive from octavo_example.t1_current where p3 = $6::text and p4 is null order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 = $6::text and p4 is null and version_from <= $7::bigint and version_to > $7::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $9::bigint as alive from octavo_example.t1_current where (p3) > ($8::text) order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where (p3) > ($8::text) and version_from <= $9::bigint and version_to > $9::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $10::bigint as alive from octavo_example.t1_current where p3 is null order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 is null and version_from <= $10::bigint and version_to > $10::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as arms limit 22) as again) < 22 else true end)::text, p.last_0, p.last_1, p.last_2, p.first_head, p.body
    from octavo_example.clock k left join octavo_example.commits m on m.object_type = k.object_type and m.version = $16::bigint
    cross join (
      select count(*) as found, count(*) filter (where place = 1 or (bytes <= $15::bigint and place < $1::integer)) as written, (array_agg(head))[1] as first_head,
        string_agg(case when others is null then scalars else scalars || ',' || others end, head) filter (where place = 1 or (bytes <= $15::bigint and place < $1::integer)) as body,
        (array_agg(key_0))[least(count(*) filter (where place = 1 or (bytes <= $15::bigint and place < $1::integer)), $1::integer - 1)] as last_0,
        (array_agg(key_1))[least(count(*) filter (where place = 1 or (bytes <= $15::bigint and place < $1::integer)), $1::integer - 1)] as last_1,
        (array_agg(key_2))[least(count(*) filter (where place = 1 or (bytes <= $15::bigint and place < $1::integer)), $1::integer - 1)] as last_2
      from (
        select p3::text as key_0, p4::text as key_1, pk::text as key_2, $14::text || to_json(pk)::text || case when p1 is null then $11::text else $12::text || to_json(p1)::text || $13::text end as head, scalars, others, row_number() over () as place, sum(octet_length(scalars) + coalesce(octet_length(others), 0)) over (rows unbounded preceding) as bytes
        from (select * from (select * from ((select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $5::bigint as alive from octavo_example.t1_current where p3 = $2::text and (p4, pk) < ($3::integer, $4::text) order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 = $2::text and (p4, pk) < ($3::integer, $4::text) and version_from <= $5::bigint and version_to > $5::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $7::bigint as alive from octavo_example.t1_current where p3 = $6::text and p4 is null order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 = $6::text and p4 is null and version_from <= $7::bigint and version_to > $7::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $9::bigint as alive from octavo_example.t1_current where (p3) > ($8::text) order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where (p3) > ($8::text) and version_from <= $9::bigint and version_to > $9::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)
    union all
    (select * from ((select p3, p4, pk, p1, scalars, others, version_from <= $10::bigint as alive from octavo_example.t1_current where p3 is null order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22) union all (select p3, p4, pk, p1, scalars, others, true as alive from octavo_example.t1_history where p3 is null and version_from <= $10::bigint and version_to > $10::bigint order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as sides order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last limit 22)) as arms limit 22) as stretch where alive limit $1::integer) as rows
        offset 0
      ) as framed
    ) as p
    where k.object_type = $17::integer"
  `)
  expect(query.values).toMatchInlineSnapshot(`
    [
      11,
      "Sales",
      "40",
      "e7",
      "12",
      "Sales",
      "12",
      "Sales",
      "12",
      "12",
      ","objectType":"employee","properties":{",
      ","objectType":"employee","title":",
      ","properties":{",
      "}},
    {"primaryKey":",
      1000,
      "12",
      1,
    ]
  `)
})

it('a nullable property from the greatest value down is two ranges: its values, then its nulls', () => {
  const order = chooseOrder(type, [{ property: 'age', direction: 'desc' }])
  const query = compilePageQuery(planOf({ order, at: { kind: 'capture' } }), { cutAtBudget: false })
  expect(query.text).toMatchInlineSnapshot(`
    "
    select k.version::text, k.floor::text, k.live::text, k.revision::text, k.largest::text, m.tag, m.live::text,
      p.found::text, p.written::text, true::text, p.last_0, p.last_1, p.first_head, p.body
    from octavo_example.clock k left join octavo_example.commits m on m.object_type = k.object_type and m.version = k.version
    cross join (
      select count(*) as found, count(*) as written, (array_agg(head))[1] as first_head,
        string_agg(scalars, head) as body,
        (array_agg(key_0))[least(count(*), $1::integer - 1)] as last_0,
        (array_agg(key_1))[least(count(*), $1::integer - 1)] as last_1
      from (
        select p4::text as key_0, pk::text as key_1, $2::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $3::text as head, scalars, others
        from (select * from ((select p4, pk, scalars, others from octavo_example.t1_current where p4 is not null order by p4 desc nulls first, pk desc nulls first limit 11)
    union all
    (select p4, pk, scalars, others from octavo_example.t1_current where p4 is null order by p4 desc nulls first, pk desc nulls first limit 11)) as arms limit $1::integer) as rows
        offset 0
      ) as framed
    ) as p
    where k.object_type = $4::integer"
  `)
})

const textAfter = (position: readonly string[]) =>
  compilePageQuery(planOf({ order: declared, position }), { cutAtBudget: true }).text

it('the text depends on the shape of a request and never on its values', () => {
  expect(textAfter(['Sales', '40', 'e7'])).toBe(textAfter(['Research', '41', 'e8']))
})

const marker = 'Zq'
const name = fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/).map((rest) => `${marker}${rest}`)
const value = fc.string({ unit: 'binary' }).map((rest) => `${marker}'"\\; --${rest}`)

it('no name and no value from outside ever stands in the text', () => {
  const cases = fc.record({
    names: fc.uniqueArray(name, { minLength: 3, maxLength: 3, selector: (each) => each.toLowerCase() }),
    apiName: name,
    values: fc.tuple(value, value, value),
    record: fc.constantFrom('listed', 'found'),
    at: fc.constantFrom('latest', 'capture', 'snapshot'),
    direction: fc.constantFrom('asc', 'desc'),
    cutAtBudget: fc.boolean(),
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
      }) => {
        const definition: ObjectTypeDefinition = {
          apiName,
          displayName: `${marker} text`,
          primaryKey: key,
          titleProperty: first,
          properties: {
            [key]: { type: 'string' },
            [first]: { type: 'string', sortable: true },
            [second]: { type: { struct: { [`${marker}c`]: 'string' } }, searchable: true },
          },
          orders: [
            [
              { property: first, direction },
              { property: key, direction: 'asc' },
            ],
          ],
        }
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
            at: at === 'snapshot' ? { kind: at, version: values[2] } : { kind: at },
          }),
          { cutAtBudget },
        )
        expect(query.text).not.toContain(marker)
        // Every parameter has its type, and only as many places are used as there are values.
        const places = [...query.text.matchAll(/\$([0-9]+)(.{2})/g)]
        expect(places.every(([, , cast]) => cast === '::')).toBe(true)
        expect(new Set(places.map(([, place]) => place)).size).toBe(query.values.length)
      },
    ),
  )
})
