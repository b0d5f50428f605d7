// Compiles a page plan to one statement. See README.md in this folder for a worked example.
import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'
import { compileRows } from './compile-rows.ts'
import { compileClock } from './compile-clock.ts'
import { isKeyOrder, recordBytes, recordColumns, recordText, type RecordOptions } from './record-text.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { invariant } from '../../base/errors/invariant.ts'

export interface PageQueryOptions extends Pick<RecordOptions, 'withEscapes'> {
  /** Stops at the byte budget. This costs a running sum over the rows, so it is left out where no page can be that large. */
  readonly cutAtBudget: boolean
}

/**
 * The first row is the clock. Each row after it is a record (null if it did not fit) with the keys of its position, unless the
 * record contains them.
 */
export function compilePageQuery(plan: PagePlan, { cutAtBudget, withEscapes }: PageQueryOptions): SqlQuery {
  const parameters = new Parameters()
  const { type, order } = plan
  const clock = compileClock(plan, parameters)
  const record = recordText(type, { shape: plan.record, withEscapes }, parameters)
  const rows = pageRows(plan, parameters)
  const records = cutAtBudget
    ? {
        text: `case when place = 1 or bytes <= ${parameters.add(plan.byteBudget, 'bigint')} then head || ${record.value} end`,
        from: `(${measured(plan, rows, record.head)}) as rows`,
      }
    : { text: `${record.head} || ${record.value}`, from: rows }
  const keys = isKeyOrder(order) ? [] : order.keys
  const noKeys = keys.map(() => ', null::text').join('')
  // PostgreSQL reads the two parts one after the other.
  const text = `(select ${clock}${noKeys} from ${type.tables.clock} k where k.object_type = ${parameters.add(type.id, 'integer')})
union all
(select ${records.text}${keys.map((key) => `, ${key.column}::text`).join('')} from ${records.from})`
  return { text, values: parameters.values }
}

const measured = (plan: PagePlan, rows: string, head: string): string =>
  `select *, row_number() over () as place, sum(${recordBytes(plan, 'head')}) over (rows unbounded preceding) as bytes from (select *, ${head} as head from ${rows}) as rows`

/**
 * At a version, the page takes the rows that are alive from a stretch this many times its size. That is enough even where every
 * object has that many rows: its current one and its former ones. PostgreSQL stops reading when the page has enough.
 */
const pagesInStretch = 16

/** The rows that the records are made from. */
function pageRows(plan: PagePlan, parameters: Parameters): string {
  // One row more than asked: the statement that reads the page also tells whether more exist.
  const wanted = plan.pageSize + 1
  const step = rowStep(wanted)
  const limit = wanted === step ? String(step) : parameters.add(wanted, 'integer')
  const columns = recordColumns(plan)
  if (!withDead(plan)) {
    return `(${compileRows(plan, { parameters, limit, rowsAtMost: step, columns })}) as rows`
  }
  const stretch = pagesInStretch * step
  const rows = compileRows(plan, { parameters, limit: String(stretch), rowsAtMost: stretch, columns })
  return `(${rows}) as rows where alive limit ${limit}`
}

/**
 * The limit of an arm is a literal in the text of the statement, rounded up to one of these steps. If it were a parameter, PostgreSQL
 * would plan as if a tenth of the table were wanted, and would never settle on one generic plan for all pages. The exact limit is a
 * parameter further out, so a page reads no more rows than it needs where rows come in order.
 */
const steps = [2, 6, 11, 21, 51, 101, 201, 501, 1001]

function rowStep(rows: number): number {
  const step = steps.find((candidate) => candidate >= rows)
  invariant(step !== undefined, 'page-larger-than-the-greatest-step')
  return step
}
