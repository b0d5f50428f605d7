import type { ObjectType } from '../../catalog/object-type.ts'
import { valuesOf, type Change, type TypeChanges, type TypeLines } from './change.ts'

/** Up to these limits, a batch is one statement. */
const mostChanges = 10_000
const mostValues = 100_000

export type Gathered =
  | { readonly kind: 'small'; readonly parts: readonly TypeChanges[] }
  /** All chunks, including those that had been read before the batch turned out to be large. */
  | { readonly kind: 'large'; readonly chunks: AsyncIterable<TypeLines> }

/**
 * Reads all changes of a small batch. Of a large one, it reads no more than fits into a small one. A batch that merges counts as
 * large however small it is: the objects that it changes may be large. So does one with conditions, which are compared apart.
 */
export async function gatherSmall(chunks: AsyncGenerator<TypeLines>): Promise<Gathered> {
  const begun: TypeLines[] = []
  const parts = new Map<ObjectType, Change[]>()
  let changes = 0
  let values = 0
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    const { type, changes: lines, conditions = [] } = next.value
    begun.push(next.value)
    changes += lines.length
    for (const change of lines) values += valuesOf(type, change)
    const whole = lines.filter((change) => change.kind !== 'merge')
    if (
      changes > mostChanges ||
      values > mostValues ||
      whole.length < lines.length ||
      conditions.length > 0
    ) {
      return { kind: 'large', chunks: joined(begun, chunks) }
    }
    parts.set(type, [...(parts.get(type) ?? []), ...whole])
  }
  return { kind: 'small', parts: [...parts].map(([type, all]) => ({ type, changes: all })) }
}

async function* joined(begun: TypeLines[], rest: AsyncGenerator<TypeLines>): AsyncGenerator<TypeLines> {
  for (let chunk = begun.shift(); chunk !== undefined; chunk = begun.shift()) yield chunk
  yield* rest
}
