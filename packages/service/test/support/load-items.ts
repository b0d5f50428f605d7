// Collections of a known size and content, small enough for a test to load tens of thousands of objects.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { Ontology } from '../../src/catalog/ontology.ts'
import type { TestStore } from './open-test-store.ts'
import type { Collection } from './page-revisions.ts'
import { putObject } from './put-object.ts'

export interface Item {
  readonly id: string
  readonly rank: number
  readonly label?: string
  readonly tags?: readonly string[]
  readonly names?: readonly { readonly firstName?: string; readonly lastName?: string }[]
}

export const itemDefinition = (apiName: string): ObjectTypeDefinition => ({
  apiName,
  displayName: 'Item',
  primaryKey: 'id',
  titleProperty: 'label',
  properties: {
    id: { type: 'string' },
    rank: { type: 'integer', sortable: true },
    label: { type: 'string', sortable: true },
    tags: { type: { array: 'string' } },
    names: { type: { array: { struct: { firstName: { type: 'string' }, lastName: { type: 'string' } } } } },
  },
  // Each item is linked to itself.
  links: { same: { objectType: apiName, foreignKeyProperty: 'id', reverse: 'sameAs' } },
})

/** In key order. Ranks have ties; every fifth item has no label. */
const item = (number: number): Item => ({
  id: itemId(number),
  rank: (number * 7919) % 100,
  ...(number % 5 === 0 ? {} : { label: `Item "${number}" ü` }),
  tags: [`t${number % 3}`],
  names: [{ firstName: 'Ada', lastName: `B${number}` }],
})

export const itemId = (number: number): string => `i${String(number).padStart(6, '0')}`

export const items = (count: number): readonly Item[] => Array.from({ length: count }, (_, i) => item(i))

export interface LoadedItems {
  readonly type: ObjectType
  readonly collection: Collection
}

/** Creates a type with this many items, and returns how a request names it. */
export async function loadItems(
  store: TestStore,
  ontology: Ontology,
  count: number,
  apiName: string = `items${count}`,
): Promise<LoadedItems> {
  const type = await store.applyObjectType(ontology, itemDefinition(apiName))
  await putItems(store, type, items(count))
  return { type, collection: collectionOf(ontology, type) }
}

export async function putItems(
  store: TestStore,
  type: ObjectType,
  objects: readonly object[],
): Promise<void> {
  const atOnce = 5_000
  for (let from = 0; from < objects.length; from += atOnce) {
    const changes = objects.slice(from, from + atOnce).map((object) => putObject(type, { ...object }))
    await store.commit({ parts: [{ type, changes }] })
  }
}

/** A collection of an ontology that may be created later. */
export const collectionIn = (at: { readonly ontology: Ontology }, objectType: string): Collection => ({
  get ontologyRid() {
    return at.ontology.rid
  },
  get apiFamily() {
    return at.ontology.apiFamilies[0] ?? 'none'
  },
  objectType,
})

export const collectionOf = (ontology: Ontology, { apiName }: ObjectType): Collection =>
  collectionIn({ ontology }, apiName)
