// Walks as a client makes them; the store itself refuses pages of a snapshot that is gone.
import type { OrderKey } from '@octavo/model'
import type { PagePlan, PointInTime } from '../../../src/read/plan/page-plan.ts'
import type { PageRows } from '../../../src/read/rows/page/page-rows.ts'
import { capturedBy } from '../../../src/read/token/walk.ts'
import { type CapturedSnapshot, SnapshotNotReadable } from '../../../src/read/rows/state/page-clock.ts'
import { readPages, recordsOf } from '../read-walk.ts'
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
  const { captured } = request
  const pages: WalkedPage[] = []
  try {
    await walk(request, captured === undefined ? { kind: 'capture' } : capturedBy(captured), pages)
  } catch (error) {
    if (error instanceof SnapshotNotReadable) return { kind: 'gone', pages: pages.length }
    throw error
  }
  return { kind: 'complete', version: Number(captured?.version ?? pages[0]?.clock.version), pages }
}

export async function walkLatest(request: WalkRequest): Promise<readonly WalkedPage[]> {
  const pages: WalkedPage[] = []
  await walk(request, { kind: 'latest' }, pages)
  return pages
}

async function walk(
  { readPage, modelled: { type }, order, pageSize }: WalkRequest,
  at: PointInTime,
  pages: WalkedPage[],
): Promise<void> {
  for await (const page of readPages({ readPage, type, order, pageSize, at }))
    pages.push({ clock: page.clock, records: recordsOf(page), more: page.more })
}
