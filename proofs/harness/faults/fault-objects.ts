// The objects that are written and read while faults strike: they are small, and their text follows from their key and edition, so that every
// record can be checked on its own.
import type { ObjectTypeDefinition } from '@octavo/protocol'

export const objectTypeName = 'struck'

export const struckDefinition: ObjectTypeDefinition = {
  apiName: objectTypeName,
  displayName: 'Struck',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    edition: { type: 'integer', sortable: true },
    shelf: { type: 'integer', searchable: true },
    text: { type: 'string' },
  },
}

export const shelves = 4

/** An edition is never used twice, and each key has one writer, so the editions of a key only grow. */
export interface Edition {
  readonly key: string
  readonly edition: number
}

/** A change without an edition is a delete. */
export interface Change {
  readonly key: string
  readonly edition: number | undefined
}

export const shelfOf = (key: string): number => Number(key.slice(-1)) % shelves

const textOf = ({ key, edition }: Edition): string =>
  `${key} in its edition ${edition}. `.repeat(1 + (edition % 3))

export const lineOf = ({ key, edition }: Change): string =>
  edition === undefined
    ? JSON.stringify({ type: 'delete', primaryKey: key })
    : JSON.stringify({
        type: 'put',
        properties: { id: key, edition, shelf: shelfOf(key), text: textOf({ key, edition }) },
      })

/** Reads a record as it was served; throws if no writer can have written it. */
export function editionOf({ properties }: { readonly properties: object }): Edition {
  const { id: key, edition, shelf, text } = properties as Readonly<Record<string, unknown>>
  if (typeof key !== 'string' || typeof edition !== 'number') {
    throw new Error(`a record without key or edition: ${JSON.stringify(properties)}`)
  }
  if (shelf !== shelfOf(key) || text !== textOf({ key, edition })) {
    throw new Error(`a record that nobody wrote: ${JSON.stringify(properties)}`)
  }
  return { key, edition }
}
