import { capturedBy } from './captured-by.ts'
import type { Walk } from './walk.ts'

/** What a page adds to a walk. */
export interface ServedPage {
  readonly objects: number
  readonly clock: { readonly version: string; readonly tag: string | null }
}

export interface WalkStart {
  readonly snapshot: boolean
  readonly order: string | undefined
  readonly total: string | undefined
  readonly newWalkId: () => string
}

/**
 * The walk after a page. Its position is known only when more objects exist. The first page of a snapshot walk fixes the
 * version.
 */
export function nextWalk(
  walk: Walk | undefined,
  page: ServedPage,
  { snapshot, order, total, newWalkId }: WalkStart,
): Omit<Walk, 'position'> {
  if (walk !== undefined) {
    const { id, mode } = walk
    return { id, mode, order: walk.order, total: walk.total, served: walk.served + page.objects }
  }
  return {
    id: newWalkId(),
    mode: snapshot ? capturedBy(page.clock) : { kind: 'default' },
    order,
    total,
    served: page.objects,
  }
}
