import { Type } from 'typebox'

/** What an error suggests for a name that does not exist. It never reveals names that the caller may not see. */
export const nameHelp = {
  didYouMean: Type.Optional(Type.Array(Type.String())),
  /** The names that exist, as many as fit. */
  known: Type.Optional(Type.Array(Type.String())),
  /** How many more there are. */
  more: Type.Optional(Type.Integer()),
}

interface NameHelp {
  readonly didYouMean?: readonly string[]
  readonly known?: readonly string[]
  readonly more?: number
}

/** For example: There is no object type flihgt; did you mean flight? There are: aircraft, airport, flight. */
export function adviceOfNames(start: string, { didYouMean, known, more }: NameHelp): string | undefined {
  if (known === undefined) return undefined
  const meant = didYouMean === undefined ? '.' : '; did you mean {didYouMean}?'
  if (known.length === 0) return `${start}${meant} There are none yet.`
  return `${start}${meant} There are: {known}${more === undefined ? '' : ', and {more} more'}.`
}
