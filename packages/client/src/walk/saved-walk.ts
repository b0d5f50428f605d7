import { OctavoError } from '../errors/octavo-error.ts'
import type { WalkPosition } from './walk-position.ts'
import type { WalkRequest } from './walk-request.ts'

export interface SavedWalk {
  readonly request: WalkRequest
  readonly position: WalkPosition
  readonly rest: readonly unknown[]
}

/** Increased whenever older clients could no longer read a saved walk. */
const format = 1

export const saveWalk = (walk: SavedWalk): string => JSON.stringify({ octavoWalk: format, ...walk })

export function readSavedWalk(text: string): SavedWalk {
  try {
    const { octavoWalk, ...walk } = JSON.parse(text) as SavedWalk & { readonly octavoWalk: unknown }
    const { request, position, rest } = walk
    if (octavoWalk === format && request.path.startsWith('/') && position.pages >= 0 && Array.isArray(rest)) {
      return walk
    }
  } catch {
    // Whatever is wrong with the text, the error below reports it.
  }
  throw new OctavoError({
    errorName: 'InvalidSavedWalk',
    parameters: {},
    sentence:
      'The text is not a walk saved by this version of the client, or is incomplete. Pass the text from walk.save() unchanged, or start a new walk.',
  })
}
