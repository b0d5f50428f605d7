// Nothing that matches is often a value that is written otherwise: `Landed` where there is `landed`. An agent reports that nothing is
// there, so it is shown what is.
import type { Aggregate } from '@octavo/protocol'
import { nearestNames } from '@octavo/protocol/vocabulary'
import { allObjects, typePath, type TypeName } from './object-state.ts'
import type { Octavo } from './octavo.ts'
import { Refused } from './tool-error.ts'

const mostFields = 3
const mostValues = 20
const longestValue = 64

interface Asked {
  readonly query: unknown
  readonly snapshotToken: string
}

interface Spellings {
  readonly note: string
  /** The most frequent values of the fields whose texts were compared. */
  readonly valuesThatExist: Readonly<Record<string, readonly string[]>>
}

/** What to say of a query that compares texts and that nothing matches; undefined if it compares none, or none that is missing. */
export async function spellings(
  octavo: Octavo,
  type: TypeName,
  { query, snapshotToken }: Asked,
): Promise<Spellings | undefined> {
  const compared = new Map<string, string[]>()
  addTexts(query, compared)
  const values = new Map<string, readonly string[]>()
  const meant: string[] = []
  for (const [field, texts] of [...compared].slice(0, mostFields)) {
    const found = await frequentValues(octavo, type, { field, snapshotToken })
    const missing = texts.filter((text) => !found.includes(text))
    if (found.length === 0 || missing.length === 0) continue
    values.set(field, found)
    for (const close of nearestNames(missing, found)) {
      meant.push(`There is ${JSON.stringify(close)} in ${field}. `)
    }
  }
  if (values.size === 0) return undefined
  return {
    note: `Complete: no object matches. But eq and in compare texts exactly, with their case. ${meant.join('')}"valuesThatExist" has the most frequent values; count_by shows all.`,
    valuesThatExist: Object.fromEntries(values),
  }
}

/** The fields whose values a query compares with texts, with the texts. */
function addTexts(query: unknown, found: Map<string, string[]>): void {
  if (typeof query !== 'object' || query === null) return
  const { type, field, value } = query as Readonly<Record<string, unknown>>
  if (type === 'and' || type === 'or' || type === 'not') {
    for (const part of [value].flat()) addTexts(part, found)
  } else if ((type === 'eq' || type === 'in') && typeof field === 'string') {
    const texts = [value].flat().filter((each) => typeof each === 'string')
    if (texts.length > 0) found.set(field, [...(found.get(field) ?? []), ...texts])
  }
}

interface FieldOfState {
  readonly field: string
  readonly snapshotToken: string
}

/** Only short ones, because all of them are in the answer. None where the values are no texts, or where counting them is refused. */
async function frequentValues(
  octavo: Octavo,
  type: TypeName,
  { field, snapshotToken }: FieldOfState,
): Promise<readonly string[]> {
  try {
    const { data } = await octavo.post<Aggregate>(`${typePath(type)}/aggregate`, {
      query: allObjects,
      snapshotToken,
      aggregation: [{ type: 'count', direction: 'DESC' }],
      groupBy: [{ type: 'exact', field, maxGroupCount: mostValues }],
    })
    return data
      .flatMap(({ group }) => Object.values(group))
      .filter((value): value is string => typeof value === 'string' && value.length <= longestValue)
  } catch (error) {
    if (error instanceof Refused) return []
    throw error
  }
}
