import type { TokenSealer } from './token-sealer.ts'
import type { Walk } from './walk.ts'

export interface SealedAt {
  readonly binding: Buffer
  readonly now: Date
  /** Set when the length of the position must not be revealed. */
  readonly positionRoom?: number | undefined
}

export const sealPageToken = (
  sealer: TokenSealer,
  walk: Walk,
  { binding, now, positionRoom }: SealedAt,
): string => sealer.seal({ walk, issuedAtSeconds: Math.floor(now.getTime() / 1000), binding }, positionRoom)
