// One request of a walk. The page token of any list is opened here, and the one of the next page sealed.
import type { IdentityPart } from '../request/request-identity.ts'
import { openPageToken } from './open-page-token.ts'
import type { PagePosition, Walk, WalkMode, LinkedStates } from './walk.ts'
import { sealPageToken } from './seal-page-token.ts'
import type { TokenSealer } from './token-sealer.ts'

export interface WalkService {
  readonly sealer: TokenSealer
  readonly now: () => Date
  readonly newWalkId: () => string
}

export interface OpenedWalk {
  /** The walk that the page token continues; undefined if the request begins one. */
  readonly walk: Walk | undefined
  /** The walk after a page with this many objects. The start counts on the first page; later ones keep what the walk has. */
  readonly next: (objects: number, start?: Partial<Omit<WalkStart, 'newWalkId'>>) => NextWalk
}

export interface NextWalk extends Omit<Walk, 'position'> {
  /** The page token for what comes after the position. */
  readonly tokenAfter: (position: PagePosition, positionRoom?: number) => string
}

interface WalkRequest {
  readonly pageToken: string | undefined
  readonly binding: Buffer
  /** The name of a part of the request as the caller knows it. */
  readonly nameOf?: ((part: IdentityPart) => string) | undefined
}

const inDefaultMode: WalkMode = { kind: 'default' }

export function openWalk(
  { sealer, now: clock, newWalkId }: WalkService,
  { pageToken, binding, nameOf }: WalkRequest,
): OpenedWalk {
  const now = clock()
  const walk =
    pageToken === undefined ? undefined : openPageToken(sealer, pageToken, { binding, now, nameOf })
  return {
    walk,
    next: (objects, { mode = inDefaultMode, order, total, linked } = {}) => {
      const next = nextWalk(walk, objects, { mode, order, total, linked, newWalkId })
      return {
        ...next,
        tokenAfter: (position, positionRoom) =>
          sealPageToken(sealer, { ...next, position }, { binding, now, positionRoom }),
      }
    },
  }
}

export interface WalkStart {
  readonly mode: WalkMode
  readonly order: string | undefined
  readonly total: string | undefined
  readonly linked?: LinkedStates | undefined
  readonly newWalkId: () => string
}

/** The walk after a page with this many objects. Its position is known only when more objects exist. */
export const nextWalk = (
  walk: Walk | undefined,
  objects: number,
  { newWalkId, ...start }: WalkStart,
): Omit<Walk, 'position'> =>
  walk === undefined
    ? { id: newWalkId(), ...start, served: objects }
    : { ...walk, served: walk.served + objects }
