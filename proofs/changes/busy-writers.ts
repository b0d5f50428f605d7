// Writers that change one collection all the time: their commits overlap, objects are deleted and created again, the whole is replaced,
// the definition gains properties, and what has expired is pruned.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectType, Ontology, Store } from '../../packages/service/test/inside.ts'
import { itemId } from '../../packages/service/test/support/load-items.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import type { Random } from '../harness/random.ts'

export interface Writers {
  readonly commits: () => number
  readonly stop: () => Promise<void>
}

export interface Writing {
  readonly store: Store
  readonly ontology: Ontology
  readonly objectType: string
  readonly random: Random
  readonly writers: number
  /** The pause between two commits of a writer. */
  readonly pauseMs: number
  /** How long a state can be read. */
  readonly retentionSeconds: number
}

const keys = 250

export function startWriters(writing: Writing): Writers {
  const { store, ontology, objectType, random } = writing
  const stopping = new AbortController()
  let commits = 0

  const typeNow = async (): Promise<ObjectType> => {
    const type = await store.catalog.objectType(ontology, objectType)
    if (type === undefined) throw new Error(`no type ${objectType}`)
    return type
  }
  const someKey = () => itemId(random.below(keys))
  const someObject = (type: ObjectType, id: string) =>
    putObject(type, { id, rank: random.below(5), label: `"${random.below(3)}" ü` })

  /** The definition may change at any time: then the work is done again with the new one. */
  const withType = async (work: (type: ObjectType) => Promise<unknown>): Promise<void> => {
    await store.catalog.withFreshType(ontology, await typeNow(), work)
  }
  const changeSome = async (type: ObjectType): Promise<unknown> => {
    const chosen = new Set(Array.from({ length: 1 + random.below(12) }, someKey))
    const changes = [...chosen].map((id) =>
      random.next() < 0.3 ? ({ kind: 'delete', key: id } as const) : someObject(type, id),
    )
    return store.commit({ parts: [{ type, changes }] })
  }
  const replaceAll = async (type: ObjectType): Promise<unknown> => {
    const left = Array.from({ length: keys }, (_, i) => itemId(i)).filter(() => random.next() < 0.7)
    const changes = left.map((id) => someObject(type, id))
    return store.stage({ chunks: [{ type, changes }], replaces: type })
  }
  /** At most so many properties are added. */
  const mostAdded = 20
  const redefine = async ({ definition }: ObjectType): Promise<unknown> => {
    const added = Object.keys(definition.properties).length
    if (added > mostAdded) return undefined
    return store.applyObjectType(ontology, {
      ...definition,
      properties: { ...definition.properties, [`more${added}`]: { type: 'integer' } },
    })
  }
  const prune = (type: ObjectType): Promise<unknown> =>
    store.prune(type, {
      retentionSeconds: writing.retentionSeconds,
      settleSeconds: 0,
      commitsKeptSeconds: 7 * 86_400,
    })

  const write = async (number: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      const lot = random.next()
      const isFirst = number === 0
      const work =
        isFirst && lot < 0.02 ? redefine : isFirst && lot < 0.1 ? prune : lot > 0.99 ? replaceAll : changeSome
      await withType(work)
      if (work === changeSome || work === replaceAll) commits += 1
      await sleep(random.next() * writing.pauseMs)
    }
  }
  const working = Promise.all(Array.from({ length: writing.writers }, (_, i) => write(i)))
  return {
    commits: () => commits,
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}
