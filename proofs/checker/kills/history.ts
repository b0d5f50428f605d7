// Types that are written to all the time, with what they held at each version: known from what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chances.ts'
import { definitionOf, textOf, type Contents } from './contents.ts'
import type { Setting } from './setting.ts'
import { anyNumber, manyThings, thing } from './things.ts'

export const copiedTypes = ['item', 'doc'] as const
export type CopiedType = (typeof copiedTypes)[number]

export interface History {
  /** Once every commit up to the version is known. */
  readonly at: (type: CopiedType, version: number) => Promise<Contents>
  readonly latest: (type: CopiedType) => number
  /** Every type gets another property, which some objects have from then on. */
  readonly define: () => Promise<void>
  readonly stop: () => Promise<void>
}

type State = readonly [version: number, text: string | undefined]

export async function keepHistory({ ask, rid }: Setting, chance: Chance): Promise<History> {
  const known = { item: new Map<string, State[]>(), doc: new Map<string, State[]>() }
  const latest = { item: 0, doc: 0 }
  let properties = 0
  const stopping = new AbortController()
  const pathOf = (type: CopiedType): string => `/manage/v1/ontologies/${rid}/objectTypes/${type}`

  async function commit(type: CopiedType, objects: ReadonlyMap<string, object | undefined>): Promise<void> {
    const lines = [...objects].map(([primaryKey, object]) =>
      JSON.stringify(
        object === undefined ? { type: 'delete', primaryKey } : { type: 'put', properties: object },
      ),
    )
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const receipt = await ask<{ readonly version: string }>(
      'POST',
      `${pathOf(type)}/batches`,
      lines.join('\n'),
      headers,
    )
    const version = Number(receipt.version)
    for (const [key, object] of objects) {
      const states = known[type].get(key) ?? []
      states.push([version, object && textOf(object)])
      known[type].set(key, states)
    }
    latest[type] = version
  }
  const changed = (): readonly [string, object | undefined] => {
    const object = thing(chance, anyNumber(chance))
    if (chance.below(4) === 0) return [object.id, undefined]
    const added =
      properties > 0 && chance.below(2) > 0 ? { [`x${1 + chance.below(properties)}`]: chance.below(99) } : {}
    return [object.id, { ...object, ...added }]
  }
  async function write(type: CopiedType): Promise<void> {
    while (!stopping.signal.aborted) {
      await commit(type, new Map(Array.from({ length: 1 + chance.below(20) }, changed)))
      await sleep(40 + chance.below(100))
    }
  }

  for (const type of copiedTypes) {
    await ask('PUT', pathOf(type), definitionOf(type))
    const things = manyThings(chance)
    for (let from = 0; from < things.length; from += 2_000)
      await commit(type, new Map(things.slice(from, from + 2_000).map((object) => [object.id, object])))
  }
  const writing = Promise.all(copiedTypes.map(write))
  return {
    at: async (type, version) => {
      while (latest[type] < version) await sleep(20)
      return new Map(
        [...known[type]].flatMap(([key, states]) => {
          const text = states.findLast(([since]) => since <= version)?.[1]
          return text === undefined ? [] : [[key, text] as const]
        }),
      )
    },
    latest: (type) => latest[type],
    define: async () => {
      const added = properties + 1
      const more = Object.fromEntries(
        Array.from({ length: added }, (_, i) => [`x${i + 1}`, { type: 'integer', searchable: true }]),
      )
      for (const type of copiedTypes) await ask('PUT', pathOf(type), definitionOf(type, more))
      properties = added
    },
    stop: async () => {
      stopping.abort()
      await writing
    },
  }
}
