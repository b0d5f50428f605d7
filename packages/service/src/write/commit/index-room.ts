// An index entry has room for 2,704 bytes. One ordered string and the primary key always fit. The strings of a declared order
// may not fit together, so their sum is checked here, before PostgreSQL would refuse the whole commit.
import type { ObjectType } from '../../catalog/object-type.ts'

/** What is left of an entry after its header and the lengths and padding of five keys. */
const mostBytes = 2_600

export interface CrowdedOrder {
  readonly property: string
  readonly rule: string
}

export function crowdedOrder(
  type: ObjectType,
  { key, columns }: { readonly key: string; readonly columns: readonly (string | null)[] },
): CrowdedOrder | undefined {
  for (const order of type.definition.orders ?? []) {
    let bytes = Buffer.byteLength(key)
    const strings: string[] = []
    for (const [place, column] of type.columns.entries()) {
      const ordered =
        column.role === 'value' &&
        column.scalar === 'string' &&
        order.some(({ property }) => property === column.property)
      const text = ordered ? columns[place] : undefined
      if (text === undefined || text === null) continue
      bytes += Buffer.byteLength(text)
      strings.push(column.property)
    }
    const [property, ...others] = strings
    if (property === undefined || bytes <= mostBytes) continue
    const rule = `must be at most ${mostBytes} bytes of UTF-8 together with ${[...others, 'the primary key'].join(', ')}, because pages are ordered by them; these have ${bytes}`
    return { property, rule }
  }
  return undefined
}
