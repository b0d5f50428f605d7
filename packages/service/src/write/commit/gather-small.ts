import type { ObjectType } from '../../catalog/object-type.ts'
import { valuesOf, type Change, type TypeChanges } from './change.ts'

/** Up to these limits, a batch is one statement. */
const mostChanges = 10_000
const mostValues = 100_000

export type Gathered =
  | { readonly kind: 'small'; readonly parts: readonly TypeChanges[] }
  /** All chunks, including those that had been read before the batch turned out to be large. */
  | { readonly kind: 'large'; readonly chunks: AsyncIterable<TypeChanges> }

/** Reads all changes of a small batch. Of a large one, it reads no more than fits into a small one. */
export async function gatherSmall(chunks: AsyncGenerator<TypeChanges>): Promise<Gathered> {
  const begun: TypeChanges[] = []
  let changes = 0
  let values = 0
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    begun.push(next.value)
    changes += next.value.changes.length
    for (const change of next.value.changes) values += valuesOf(next.value.type, change)
    if (changes > mostChanges || values > mostValues) {
      return { kind: 'large', chunks: joined(begun, chunks) }
    }
  }
  const parts = new Map<ObjectType, Change[]>()
  for (const chunk of begun) parts.set(chunk.type, [...(parts.get(chunk.type) ?? []), ...chunk.changes])
  return { kind: 'small', parts: [...parts].map(([type, all]) => ({ type, changes: all })) }
}

async function* joined(begun: TypeChanges[], rest: AsyncGenerator<TypeChanges>): AsyncGenerator<TypeChanges> {
  for (let chunk = begun.shift(); chunk !== undefined; chunk = begun.shift()) yield chunk
  yield* rest
}
