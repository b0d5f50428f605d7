// The cost for PostgreSQL of the pages around an object: buffers, rows read in vain, and time.
import type { ObjectType, Store } from '../../../packages/service/test/inside.ts'
import { explainPrepared } from '../../harness/measure-page.ts'
import type { PageKind } from '../contestants/page-kind.ts'
import { pageStatement } from '../contestants/page-statement.ts'
import type { Mode } from '../data/expected-objects.ts'
import type { Snapshot } from '../data/snapshot.ts'
import { median } from '../../harness/statistics.ts'

interface PageCost {
  readonly buffers: number
  readonly rowsRemoved: number
  readonly milliseconds: number
}

interface MeasuredPage {
  readonly type: ObjectType
  readonly before: Snapshot
  readonly after: number
  readonly mode: Mode
}

export const flatPageSize = 1_000

/** Where a page starts within a block changes its buffers by one or two; the median of several pages is stable. */
const neighbours = 5
const timesEach = 5

async function measurePage(store: Store, { type, before, after, mode }: MeasuredPage): Promise<PageCost> {
  const kind: PageKind = { pageSize: flatPageSize, mode, revision: '2.0' }
  const costs: PageCost[] = []
  for (let i = 0; i < neighbours; i += 1) {
    const statement = await pageStatement(store, type, { kind, before, after: after + i * 211 })
    const { buffers, rowsRemoved } = await explainPrepared(store.database, statement)
    const milliseconds: number[] = []
    for (let time = 0; time < timesEach; time += 1) {
      const startedAt = performance.now()
      await store.database.eachRow(statement, () => {})
      milliseconds.push(performance.now() - startedAt)
    }
    costs.push({ buffers, rowsRemoved, milliseconds: median(milliseconds) })
  }
  const of = (field: keyof PageCost) => median(costs.map((cost) => cost[field]))
  return { buffers: of('buffers'), rowsRemoved: of('rowsRemoved'), milliseconds: of('milliseconds') }
}

/** A figure as a function of something that grows. */
export interface FlatPoint {
  readonly x: number
  readonly latest: PageCost
  readonly snapshot: PageCost
}

export async function measureBoth(
  store: Store,
  page: Omit<MeasuredPage, 'mode'> & { readonly x: number },
): Promise<FlatPoint> {
  const latest = await measurePage(store, { ...page, mode: 'latest' })
  const snapshot = await measurePage(store, { ...page, mode: 'snapshot' })
  return { x: page.x, latest, snapshot }
}

export const describePoint = (what: string, { x, latest, snapshot }: FlatPoint): string =>
  `${what} ${x.toLocaleString('en')}: ${describeCost('latest', latest)}; ${describeCost('snapshot', snapshot)}`

const describeCost = (mode: Mode, { buffers, rowsRemoved, milliseconds }: PageCost): string =>
  `${mode} ${buffers} buffers, ${rowsRemoved} rows in vain, ${milliseconds.toFixed(2)} ms`
