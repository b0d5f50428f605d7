import { nearestName } from '@octavo/protocol/vocabulary'

/** The end of a sentence about a name that does not exist: `; did you mean flight?`, or a full stop. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const meant = nearestName(wanted, names)
  return meant === undefined ? '.' : `; did you mean ${meant}?`
}
