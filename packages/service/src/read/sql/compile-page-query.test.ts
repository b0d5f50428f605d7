import type { ObjectTypeDefinition } from '@octavo/protocol'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { formattedSql } from '../../../test/support/formatted-sql.ts'
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
  const query = compilePageQuery(planOf({}), { cutAtBudget: false, withEscapes: true })
  expect(formattedSql(query.text)).toMatchInlineSnapshot(`
    "(
      select
        concat(
          k.version,
          $1::text,
          k.floor,
          $1::text,
          k.live,
          $1::text,
          k.revision,
          $1::text,
          k.revision_tag,
          $1::text,
          k.largest,
          $1::text,
          k.epoch,
          $1::text,
          concat($1::text, $1::text, $1::text)
        )
      from
        octavo_example.clock k
      where
        k.object_type = $4::integer
    )
    union all
    (
      select
        $2::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $3::text || scalars
      from
        (
          select
            pk,
            scalars
          from
            octavo_example.t1_current
          order by
            pk asc nulls last
          limit
            11
        ) as rows
    )"
  `)
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

it('a later page of a snapshot in a declared order is four ranges on each table and epoch', () => {
  const plan = planOf({
    record: 'found',
    order: declared,
    position: ['Sales', '40', 'e7'],
    at: { kind: 'snapshot', version: '12', tag: 'a', epochs: { from: '3', count: 2 } },
  })
  const query = compilePageQuery(plan, { cutAtBudget: true, withEscapes: true })
  expect(formattedSql(query.text)).toMatchInlineSnapshot(`
    "(
      select
        concat(
          k.version,
          $1::text,
          k.floor,
          $1::text,
          k.live,
          $1::text,
          k.revision,
          $1::text,
          k.revision_tag,
          $1::text,
          k.largest,
          $1::text,
          k.epoch,
          $1::text,
          coalesce(
            (
              select
                concat(m.tag, $1::text, m.live, $1::text, m.checksum, $1::text, m.epoch)
              from
                octavo_example.commits m
              where
                m.object_type = $3::integer
                and m.version = $2::bigint
            ),
            concat($1::text, $1::text, $1::text)
          )
        ),
        null::text,
        null::text,
        null::text
      from
        octavo_example.clock k
      where
        k.object_type = $27::integer
    )
    union all
    (
      select
        case
          when place = 1
          or bytes <= $26::bigint then head || case
            when others is null then scalars
            else scalars || ',' || others
          end
        end,
        p3::text,
        p4::text,
        pk::text
      from
        (
          select
            *,
            row_number() over () as place,
            sum(octet_length(head) + octet_length(scalars) + coalesce(1 + octet_length(others), 0)) over (rows unbounded preceding) as bytes
          from
            (
              select
                *,
                case
                  when p1 is null then $4::text || to_json(pk)::text || $5::text
                  when octet_length(scalars) < 1000
                  and strpos(scalars, $6::text) = 0 then $7::text || pk || $8::text || p1 || $9::text
                  else $10::text || to_json(pk)::text || $11::text || to_json(p1)::text || $12::text
                end as head
              from
                (
                  select
                    *
                  from
                    (
                      (
                        select
                          *
                        from
                          (
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $16::bigint as alive
                              from
                                octavo_example.t1_current
                              where
                                p3 = $13::text
                                and (p4, pk) < ($14::integer, $15::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $16::bigint
                                and version_to > $16::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $17::bigint + 0
                                and p3 = $13::text
                                and (p4, pk) < ($14::integer, $15::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $16::bigint
                                and version_to > $16::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $17::bigint + 1
                                and p3 = $13::text
                                and (p4, pk) < ($14::integer, $15::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                          ) as sides
                        order by
                          p4 desc nulls last,
                          pk desc nulls last
                        limit
                          176
                      )
                      union all
                      (
                        select
                          *
                        from
                          (
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $19::bigint as alive
                              from
                                octavo_example.t1_current
                              where
                                p3 = $18::text
                                and p4 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $19::bigint
                                and version_to > $19::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $20::bigint + 0
                                and p3 = $18::text
                                and p4 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $19::bigint
                                and version_to > $19::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $20::bigint + 1
                                and p3 = $18::text
                                and p4 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                          ) as sides
                        order by
                          p4 desc nulls last,
                          pk desc nulls last
                        limit
                          176
                      )
                      union all
                      (
                        select
                          *
                        from
                          (
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $22::bigint as alive
                              from
                                octavo_example.t1_current
                              where
                                (p3) > ($21::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $22::bigint
                                and version_to > $22::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $23::bigint + 0
                                and (p3) > ($21::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $22::bigint
                                and version_to > $22::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $23::bigint + 1
                                and (p3) > ($21::text)
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                          ) as sides
                        order by
                          p3 asc nulls last,
                          p4 desc nulls last,
                          pk desc nulls last
                        limit
                          176
                      )
                      union all
                      (
                        select
                          *
                        from
                          (
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $24::bigint as alive
                              from
                                octavo_example.t1_current
                              where
                                p3 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $24::bigint
                                and version_to > $24::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $25::bigint + 0
                                and p3 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                            union all
                            (
                              select
                                p3,
                                p4,
                                pk,
                                p1,
                                scalars,
                                others,
                                version_from <= $24::bigint
                                and version_to > $24::bigint as alive
                              from
                                octavo_example.t1_history
                              where
                                epoch = $25::bigint + 1
                                and p3 is null
                              order by
                                p3 asc nulls last,
                                p4 desc nulls last,
                                pk desc nulls last
                            )
                          ) as sides
                        order by
                          p3 asc nulls last,
                          p4 desc nulls last,
                          pk desc nulls last
                        limit
                          176
                      )
                    ) as arms
                  limit
                    176
                ) as rows
              where
                alive
              limit
                11
            ) as rows
        ) as rows
    )"
  `)
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

it('a nullable property from the greatest value down is two ranges: its values, then its nulls', () => {
  const order = chooseOrder(type, [{ property: 'age', direction: 'desc' }])
  const query = compilePageQuery(planOf({ order, at: { kind: 'capture' } }), {
    cutAtBudget: false,
    withEscapes: true,
  })
  expect(formattedSql(query.text)).toMatchInlineSnapshot(`
    "(
      select
        concat(
          k.version,
          $1::text,
          k.floor,
          $1::text,
          k.live,
          $1::text,
          k.revision,
          $1::text,
          k.revision_tag,
          $1::text,
          k.largest,
          $1::text,
          k.epoch,
          $1::text,
          coalesce(
            (
              select
                concat(m.tag, $1::text, m.live, $1::text, m.checksum, $1::text, m.epoch)
              from
                octavo_example.commits m
              where
                m.object_type = $2::integer
                and m.version = k.version
            ),
            concat($1::text, $1::text, $1::text)
          )
        ),
        null::text,
        null::text
      from
        octavo_example.clock k
      where
        k.object_type = $5::integer
    )
    union all
    (
      select
        $3::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $4::text || scalars,
        p4::text,
        pk::text
      from
        (
          select
            *
          from
            (
              (
                select
                  p4,
                  pk,
                  scalars
                from
                  octavo_example.t1_current
                where
                  p4 is not null
                order by
                  p4 desc nulls first,
                  pk desc nulls first
                limit
                  11
              )
              union all
              (
                select
                  p4,
                  pk,
                  scalars
                from
                  octavo_example.t1_current
                where
                  p4 is null
                order by
                  p4 desc nulls first,
                  pk desc nulls first
                limit
                  11
              )
            ) as arms
          limit
            11
        ) as rows
    )"
  `)
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
    record: fc.constantFrom('listed', 'found'),
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
        const definition: ObjectTypeDefinition = {
          apiName,
          displayName: `${marker} text`,
          primaryKey: key,
          titleProperty: first,
          properties: {
            [key]: { type: 'string' },
            [first]: { type: 'string', sortable: true },
            [second]: { type: { struct: { [`${marker}c`]: { type: 'string' } } }, searchable: true },
          },
          orders: [
            {
              fields: [
                { field: first, direction },
                { field: key, direction: 'asc' },
              ],
            },
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
