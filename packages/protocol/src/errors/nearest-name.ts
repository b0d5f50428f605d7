// Suggests names for one that does not exist. The suggestions must be names that the caller may see.

/** The members of an error that help with unknown names. */
interface NameHelp {
  readonly didYouMean?: string[]
  readonly known: string[]
  /** How many more names there are than fit into `known`. */
  readonly more?: number
}

const mostNames = 20
/** A longer text is not a misspelling of a name; and the comparison takes the square of its length. */
const longestCompared = 64

export function nameHelp(unknown: readonly string[], names: readonly string[]): NameHelp {
  const meant = nearestNames(unknown, names)
  return {
    ...(meant.length > 0 && { didYouMean: meant }),
    known: names.slice(0, mostNames),
    ...(names.length > mostNames && { more: names.length - mostNames }),
  }
}

/** The known names that are near to one of the unknown names, without duplicates. */
export const nearestNames = (unknown: readonly string[], names: readonly string[]): string[] => [
  ...new Set(
    unknown
      .slice(0, mostNames)
      .map((name) => nearestName(name, names))
      .filter((name) => name !== undefined),
  ),
]

/** The name that differs least, ignoring case, `_` and `-`; undefined if a third of it would have to change. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const text = folded(wanted)
  if (text === '' || text.length > longestCompared) return undefined
  let nearest: string | undefined
  let least = Math.floor(text.length / 3) + 1
  for (const name of names) {
    const candidate = folded(name)
    if (Math.abs(candidate.length - text.length) >= least) continue
    const changes = distance(text, candidate)
    if (changes < least) {
      nearest = name
      least = changes
    }
  }
  return nearest
}

/** For the end of a sentence about an unknown name: ` (did you mean "flight"?)`, or an empty text. */
export function suggestion(wanted: string, names: readonly string[]): string {
  const name = nearestName(wanted, names)
  return name === undefined ? '' : ` (did you mean "${name}"?)`
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The number of characters to add, remove, replace or swap with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          ...(isSwapped ? [(beforeLast[j - 2] ?? 0) + 1] : []),
        ),
      )
    }
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}
