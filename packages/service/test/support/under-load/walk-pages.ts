// Walks as a client makes them; the store itself refuses pages of a snapshot that is gone.
import type { OrderKey } from '@octavo/model'
import { chooseOrder } from '../../../src/read/plan/choose-order.ts'
import type { PagePlan, PointInTime } from '../../../src/read/plan/page-plan.ts'
import type { PageRows } from '../../../src/read/rows/page/page-rows.ts'
import { capturedBy } from '../../../src/read/token/walk.ts'
import { type CapturedSnapshot, SnapshotNotReadable } from '../../../src/read/rows/state/page-clock.ts'
import { recordsOf } from '../read-walk.ts'
import type { ModelledType } from './modelled-type.ts'

export interface WalkRequest {
  readonly readPage: (plan: PagePlan) => Promise<PageRows>
  readonly modelled: ModelledType
  readonly order: readonly OrderKey[]
  readonly pageSize: () => number
  /** Without it, the first page captures the latest version. */
  readonly captured?: CapturedSnapshot
}

export interface WalkedPage {
  readonly clock: PageRows['clock']
  readonly records: readonly string[]
  readonly more: boolean
}

export type SnapshotWalk =
  | { readonly kind: 'complete'; readonly version: number; readonly pages: readonly WalkedPage[] }
  | { readonly kind: 'gone'; readonly pages: number }

export async function walkSnapshot(request: WalkRequest): Promise<SnapshotWalk> {
  const pages: WalkedPage[] = []
  let { captured } = request
  let position: PagePlan['position']
  do {
    const at: PointInTime = captured === undefined ? { kind: 'capture' } : capturedBy(captured)
    const page = await readPage(request, position, at).catch((error: unknown) => {
      if (error instanceof SnapshotNotReadable) return undefined
      throw error
    })
    if (page === undefined) return { kind: 'gone', pages: pages.length }
    captured ??= { version: page.clock.version, tag: page.clock.tag }
    pages.push(walkedPage(page))
    position = page.position
  } while (position !== undefined)
  return { kind: 'complete', version: Number(captured.version), pages }
}

export async function walkLatest(request: WalkRequest): Promise<readonly WalkedPage[]> {
  const pages: WalkedPage[] = []
  let position: PagePlan['position']
  do {
    const page = await readPage(request, position, { kind: 'latest' })
    pages.push(walkedPage(page))
    position = page.position
  } while (position !== undefined)
  return pages
}

const readPage = (
  { readPage, modelled: { type }, order, pageSize }: WalkRequest,
  position: PagePlan['position'],
  at: PointInTime,
): Promise<PageRows> =>
  readPage({
    type,
    record: '2.0',
    order: chooseOrder(type, order),
    position,
    at,
    pageSize: pageSize(),
    byteBudget: 8 * 1024 * 1024,
  })

const walkedPage = (page: PageRows): WalkedPage => ({
  clock: page.clock,
  records: recordsOf(page),
  more: page.more,
})
