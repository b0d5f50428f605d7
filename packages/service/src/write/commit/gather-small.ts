import type { ObjectType } from '../../catalog/object-type.ts'
import { valuesOf, type Change, type TypeChanges } from './change.ts'

/** Up to here a batch is one statement of its changes. */
const mostChanges = 10_000
const mostValues = 100_000

export type Gathered =
  | { readonly kind: 'small'; readonly parts: readonly TypeChanges[] }
  /** All of them, with what had been read before it was seen that there are many. */
  | { readonly kind: 'large'; readonly chunks: AsyncIterable<TypeChanges> }

/** Takes all changes of a small batch, and no more of a large one than would have been a small one. */
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
