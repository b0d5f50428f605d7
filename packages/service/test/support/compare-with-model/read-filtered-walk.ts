// A filtered walk directly from the store, page by page as the service plans and reads them.
import type { Properties } from '@octavo/model'
import type { Query } from '@octavo/protocol'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { TestStore } from '../open-test-store.ts'
import type { EstimateMatches } from '../../../src/read/plan/choose-access.ts'
import { chosenOrder, planPage, modeOf } from '../../../src/read/plan/plan-page.ts'
import type { Claims } from '../../../src/catalog/filter/policy-filter.ts'
import type { PagePlan } from '../../../src/read/plan/page-plan.ts'
import type { PageRequest, OrderByKey } from '../../../src/read/request/page-request.ts'
import type { PageRows } from '../../../src/read/rows/page/page-rows.ts'
import { nextWalk } from '../../../src/read/token/open-walk.ts'
import type { Walk } from '../../../src/read/token/walk.ts'
import { recordsOf } from '../read-walk.ts'

export interface FilteredWalkOptions {
  readonly store: Pick<TestStore, 'readPage'>
  readonly type: ObjectType
  readonly query: Query
  readonly orderBy: readonly OrderByKey[]
  readonly snapshot: boolean
  readonly pageSize: () => number
  readonly estimate: EstimateMatches
  /** The caller's claims; none by default. */
  readonly claims?: Claims
  readonly afterPage?: (page: PageRows) => Promise<void>
}

export interface FilteredWalk {
  readonly objects: readonly Properties[]
  readonly pages: readonly PageRows[]
  readonly plans: readonly PagePlan[]
}

export async function readFilteredWalk(options: FilteredWalkOptions): Promise<FilteredWalk> {
  const { store, type, query, orderBy, snapshot, estimate, claims = {} } = options
  const objects: Properties[] = []
  const pages: PageRows[] = []
  const plans: PagePlan[] = []
  let walk: Walk | undefined
  for (;;) {
    const request: PageRequest = {
      endpoint: 'searchObjects',
      pageSize: options.pageSize(),
      pageToken: undefined,
      snapshot,
      orderBy,
      select: undefined,
      query,
      filters: [],
    }
    const plan = await planPage({ type, request, claims, walk, estimate })
    const rows = await store.readPage(plan)
    if (rows.objects > request.pageSize)
      throw new Error(`${rows.objects} objects on a page of ${request.pageSize}`)
    if (rows.more && rows.objects === 0 && !rows.timedOut)
      throw new Error('an empty page although more exist')
    pages.push(rows)
    plans.push(plan)
    objects.push(
      ...recordsOf(rows).map((text) => (JSON.parse(text) as { readonly properties: Properties }).properties),
    )
    await options.afterPage?.(rows)
    if (rows.position === undefined) return { objects, pages, plans }
    const start = {
      mode: modeOf(plan.at, rows.clock),
      order: chosenOrder(plan, request),
      total: undefined,
      newWalkId: () => 'walk',
    }
    walk = { ...nextWalk(walk, rows.objects, start), position: rows.position }
  }
}
