// A page for which each row must be checked: the statement reads a stretch of an index in order, checks each row, and returns
// one row that also says how far it read. The stretch is bounded, and so is the statement, however rare matches are.
import { invariant } from '../../base/errors/invariant.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileClock } from './compile-clock.ts'
import { everything, filterColumns } from '../../catalog/filter/filter.ts'
import { withDead, atLastEnd, compileEnd } from './compile-arm.ts'
import { compileFilter } from './compile-filter.ts'
import { compileRows } from './compile-rows.ts'
import { recordBytes, recordColumns, recordText } from './record-text.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'

export interface ScanOptions {
  /** The largest number of rows to read. */
  readonly stretch: number
  /** The number of bytes of objects that still fit into the page. */
  readonly bytesLeft: number
  /** The page has no object yet, so its first one is written whatever its size. */
  readonly isFirst: boolean
}

/**
 * Whether a row that was read belongs to the page: it is alive at the version, and it passes the conditions that no index
 * decides.
 */
function compileHit(plan: PagePlan, parameters: Parameters): string {
  const check = compileFilter(plan.access?.kind === 'scan' ? plan.access.check : everything, parameters)
  return withDead(plan) ? `alive and ${check}` : check
}

/** The columns of the conditions that are still to be checked for each row. */
export const checkedColumns = ({ access }: PagePlan): readonly string[] =>
  access?.kind === 'scan' ? filterColumns(access.check) : []

/**
 * The columns of the one row, in order. After them come the keys of the last object written, then the keys of the row where the
 * reading ended.
 */
export const scanColumns = ['clock', 'found', 'written', 'scanned', 'firstHead', 'body'] as const
export type ScanColumn = (typeof scanColumns)[number]

export function compileScanQuery(plan: PagePlan, { stretch, bytesLeft, isFirst }: ScanOptions): SqlQuery {
  invariant(plan.access?.kind !== 'gather', 'gathered-rows-are-not-scanned')
  const parameters = new Parameters()
  const limit = parameters.add(plan.pageSize + 1, 'integer')
  const columns = recordColumns(plan)
  const rows = compileRows(plan, {
    parameters,
    limit: String(stretch),
    rowsAtMost: stretch,
    columns: [...columns, ...checkedColumns(plan)],
  })
  const record = recordText(plan.type, { shape: plan.record, withEscapes: true }, parameters)
  const check = compileHit(plan, parameters)
  const keys = plan.order.keys.map((key) => key.column)
  const counted = `filter (where hit and nth <= ${limit})`
  const kept = `filter (where hit and nth < ${limit} and (bytes <= ${parameters.add(bytesLeft, 'bigint')} or (nth = 1 and ${parameters.add(isFirst, 'boolean')})))`
  return {
    text: `
select ${compileClock(plan, parameters)}, p.found::text, p.written::text, p.scanned::text, p.first_head, p.body${keys.map((_key, i) => `, p.last_${i}`).join('')}${keys.map((_key, i) => `, p.read_${i}`).join('')}
from ${plan.type.tables.clock} k
cross join (
  select count(*) as scanned, count(*) ${counted} as found, count(*) ${kept} as written, (array_agg(head) ${kept})[1] as first_head,
    string_agg(${record.value}, head) ${kept} as body${keys
      .map(
        (_key, i) =>
          `,\n    (array_agg(key_${i}) ${kept})[count(*) ${kept}] as last_${i}, ${atLastEnd(`key_${i}`)} as read_${i}`,
      )
      .join('')}
  from (
    select *, ${compileEnd(plan, `key_${keys.length - 1}`)} as is_end, count(*) filter (where hit) over stretch as nth,
      sum(${recordBytes(plan, 'head')}) filter (where hit) over stretch as bytes
    from (
      select ${keys.map((key, i) => `${key}::text as key_${i}`).join(', ')}, ${record.head} as head, ${['scalars', 'others'].filter((column) => columns.includes(column)).join(', ')}, (${check}) is true as hit${withDead(plan) ? ', alive' : ''}
      from (${rows}) as rows
      offset 0
    ) as checked
    window stretch as (rows unbounded preceding)
  ) as framed
) as p
where k.object_type = ${parameters.add(plan.type.id, 'integer')}`,
    values: parameters.values,
  }
}

export interface CountOptions {
  /** The largest number of matches to count where every row is a match. */
  readonly atMost: number
  /** How many rows are read at most where each has to be checked. */
  readonly stretch: number
}

/** Whether some of the rows that are read may not count. */
export const needsCheck = (plan: PagePlan): boolean =>
  withDead(plan) || (plan.access?.kind === 'scan' && plan.access.check !== everything)

/** One row: the clock, the number of matches, the number of rows read, and the keys of the row where the reading ended. */
export function compileCountQuery(plan: PagePlan, { atMost, stretch }: CountOptions): SqlQuery {
  const parameters = new Parameters()
  const limit = needsCheck(plan) ? String(stretch) : parameters.add(atMost, 'integer')
  const rows = compileRows(plan, {
    parameters,
    limit,
    rowsAtMost: stretch,
    columns: checkedColumns(plan),
  })
  const keys = plan.order.keys.map((key) => key.column)
  const ends = keys.map((key, i) => `, ${atLastEnd(`${key}::text`)} as read_${i}`).join('')
  return {
    text: `
select ${compileClock(plan, parameters)}, p.matched::text, p.scanned::text${keys.map((_key, i) => `, p.read_${i}`).join('')}
from ${plan.type.tables.clock} k
cross join (
  select count(*) filter (where ${compileHit(plan, parameters)}) as matched, count(*) as scanned${ends}
  from (select *, ${compileEnd(plan, 'pk')} as is_end from (${rows}) as rows window stretch as ()) as rows
) as p
where k.object_type = ${parameters.add(plan.type.id, 'integer')}`,
    values: parameters.values,
  }
}
