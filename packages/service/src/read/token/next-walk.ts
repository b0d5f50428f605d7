import type { LinkedStates, Walk, WalkMode } from './walk.ts'

export interface WalkStart {
  readonly mode: WalkMode
  readonly order: string | undefined
  readonly total: string | undefined
  readonly linked?: LinkedStates | undefined
  readonly newWalkId: () => string
}

/** The walk after a page with this many objects. Its position is known only when more objects exist. */
export function nextWalk(
  walk: Walk | undefined,
  objects: number,
  { mode, order, total, linked, newWalkId }: WalkStart,
): Omit<Walk, 'position'> {
  return walk === undefined
    ? { id: newWalkId(), mode, order, total, served: objects, linked }
    : {
        id: walk.id,
        mode: walk.mode,
        order: walk.order,
        total: walk.total,
        served: walk.served + objects,
        partition: walk.partition,
        linked: walk.linked,
      }
}
