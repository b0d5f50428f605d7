// What a type holds: as the model has it, and as the service returns it.
import type { Ask } from './setting.ts'

export interface Thing {
  readonly id: string
  readonly n: number
  readonly cat?: string
  readonly note?: string
  readonly tags?: readonly string[]
  readonly big?: string
}

/** The text of each object, by primary key. */
export type Contents = ReadonlyMap<string, string>

/** Equal texts are equal objects: names in order, and no value for what has none. */
export const textOf = (object: object): string =>
  JSON.stringify(
    Object.entries(object)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

export const contentsOf = (things: readonly Thing[]): Contents =>
  new Map(things.map((thing) => [thing.id, textOf(thing)]))

/** How they differ, with an example; undefined if they are equal. */
export function difference(got: Contents, want: Contents): string | undefined {
  const wrong = [...want].find(([key, text]) => got.get(key) !== text)
  const extra = [...got.keys()].find((key) => !want.has(key))
  if (wrong === undefined && extra === undefined) return undefined
  const [key = extra ?? ''] = wrong ?? []
  return `${got.size} objects and not ${want.size}; ${key} is ${got.get(key)} and not ${want.get(key)}`
}

/** All objects in one state. */
export async function readContents(ask: Ask, type: string): Promise<Contents> {
  const contents = new Map<string, string>()
  let pageToken: string | undefined
  do {
    const page: {
      readonly data: readonly { readonly properties: Thing }[]
      readonly nextPageToken?: string
    } = await ask('POST', `/api/checked/v1/objects/types/${type}/search`, {
      query: { type: 'empty' },
      snapshot: true,
      pageSize: 1_000,
      pageToken,
    })
    for (const { properties } of page.data) contents.set(properties.id, textOf(properties))
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return contents
}

const text = { type: 'string' }

export const definitionOf = (apiName: string, more: object = {}): object => ({
  apiName,
  displayName: apiName,
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: text,
    n: { type: 'integer', searchable: true, sortable: true },
    cat: { ...text, searchable: true, sortable: true, counted: true },
    note: { ...text, searchable: true },
    tags: { type: { array: 'string' }, searchable: true },
    big: text,
    ...more,
  },
})
