// Reads pages one after another, as a client does, directly from the store.
import type { ObjectType } from '../../src/catalog/object-type.ts'
import { chooseOrder } from '../../src/read/plan/choose-order.ts'
import type { OrderByKey } from '../../src/read/request/page-request.ts'
import type { PagePlan, PointInTime } from '../../src/read/plan/page-plan.ts'
import type { RecordShape } from '../../src/read/request/page-request.ts'
import type { PageRows } from '../../src/read/rows/page/page-rows.ts'
import { capturedBy } from '../../src/read/token/walk.ts'
import { recordEnd } from '../../src/read/sql/record-text.ts'

export interface WalkOptions {
  readonly readPage: (plan: PagePlan) => Promise<PageRows>
  readonly type: ObjectType
  readonly order?: readonly OrderByKey[]
  readonly pageSize: () => number
  readonly at?: PointInTime
  readonly record?: RecordShape
  readonly byteBudget?: number
  readonly betweenPages?: (page: PageRows) => Promise<void>
}

type WalkedObject = { readonly properties: Readonly<Record<string, unknown>> } & Readonly<
  Record<string, unknown>
>

export interface Walk {
  readonly objects: readonly WalkedObject[]
  readonly texts: readonly string[]
  readonly pages: readonly PageRows[]
}

export const recordsOf = (page: PageRows): readonly string[] =>
  page.objects === 0 ? [] : `${page.records.toString()}${recordEnd(page.shape)}`.split(',\n')

/** With `capture`, the first page fixes the version at which the others are read. */
export async function* readPages(options: WalkOptions): AsyncGenerator<PageRows> {
  const { readPage, type, record = '2.0', byteBudget = 8 * 1024 * 1024 } = options
  const order = chooseOrder(type, options.order ?? [])
  let at: PointInTime = options.at ?? { kind: 'latest' }
  let position: PagePlan['position']
  do {
    const pageSize = options.pageSize()
    const page = await readPage({ type, record, order, position, at, pageSize, byteBudget })
    if (at.kind === 'capture') at = capturedBy(page.clock)
    if (page.more && page.objects === 0) throw new Error('an empty page although more exist')
    position = page.position
    yield page
  } while (position !== undefined)
}

export async function readWalk(options: WalkOptions): Promise<Walk> {
  const pages: PageRows[] = []
  const texts: string[] = []
  for await (const page of readPages(options)) {
    pages.push(page)
    texts.push(...recordsOf(page))
    await options.betweenPages?.(page)
  }
  return { objects: texts.map((text) => JSON.parse(text) as WalkedObject), texts, pages }
}
