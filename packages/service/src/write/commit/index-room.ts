// An index entry has room for 2,704 bytes. One ordered string and the primary key always fit. The strings of a declared order
// may not fit together, so their sum is checked here, before PostgreSQL would refuse the whole commit.
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'

/** What is left of an entry after its header and the lengths and padding of five keys. */
const mostBytes = limits.value.orderedBytes

export interface CrowdedOrder {
  readonly property: string
  readonly problem: string
}

interface OrderedString {
  readonly place: number
  readonly property: string
}

const known = new WeakMap<ObjectType, readonly (readonly OrderedString[])[]>()

/** The string columns of each declared order; found once for a type, as they are asked for with every object. */
function orderedStrings(type: ObjectType): readonly (readonly OrderedString[])[] {
  const found =
    known.get(type) ??
    (type.definition.orders ?? []).map(({ fields }) =>
      type.columns.flatMap(({ role, scalar, property }, place) =>
        role === 'value' && scalar === 'string' && fields.some(({ field }) => field === property)
          ? [{ place, property }]
          : [],
      ),
    )
  known.set(type, found)
  return found
}

export function crowdedOrder(
  type: ObjectType,
  { key, columns }: { readonly key: string; readonly columns: readonly (string | null)[] },
): CrowdedOrder | undefined {
  for (const ordered of orderedStrings(type)) {
    let bytes = Buffer.byteLength(key)
    const strings: string[] = []
    for (const { place, property } of ordered) {
      const text = columns[place]
      if (text === undefined || text === null) continue
      bytes += Buffer.byteLength(text)
      strings.push(property)
    }
    const [property, ...others] = strings
    if (property === undefined || bytes <= mostBytes) continue
    const problem = `must be at most ${mostBytes} bytes of UTF-8 together with ${[...others, 'the primary key'].join(', ')}, because pages are ordered by them; these have ${bytes}`
    return { property, problem }
  }
  return undefined
}
