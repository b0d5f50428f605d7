// Writers that move objects and amounts between four types, each commit over two types or more. A writer has its own objects and
// commits one change after another, so a state of all types has a beginning of the commits of each writer, and nothing else.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { Random } from '../harness/random.ts'
import { sendCommit, type CommitTarget } from '../harness/faults/send-commit.ts'

export const stores = ['north', 'east', 'south', 'west'] as const
export type StoreName = (typeof stores)[number]

export const stockDefinition = (apiName: StoreName): ObjectTypeDefinition => ({
  apiName,
  displayName: apiName,
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    writer: { type: 'string' },
    amount: { type: 'integer' },
    edition: { type: 'integer' },
  },
})

/** The stored fields of an object, besides its key. */
export interface Stock {
  readonly store: StoreName
  readonly amount: number
  /** The number of the writer's commit that put it. */
  readonly edition: number
}

interface Commit {
  /** All objects of the writer after the commit, by key. */
  readonly after: ReadonlyMap<string, Stock>
  readonly stores: ReadonlySet<StoreName>
  /** Unknown until it is acknowledged. */
  version?: number
}

const objectsOfWriter = 40
export const amountOfWriter = objectsOfWriter * 100

export class StockWriter {
  readonly name: string
  /** By the number of the commit. */
  readonly commits: Commit[] = []
  readonly #random: Random
  readonly #hasBegun = Promise.withResolvers<void>()
  /** Once its objects exist. */
  readonly begun = this.#hasBegun.promise

  constructor(name: string, random: Random) {
    this.name = name
    this.#random = random
  }

  /** Until the signal; the first commit makes all objects of the writer. */
  async write(target: CommitTarget, stop: AbortSignal): Promise<void> {
    await this.#commit(target, this.#begin())
    this.#hasBegun.resolve()
    while (!stop.aborted) {
      await this.#commit(target, this.#change())
      await sleep(this.#random.next() * 10)
    }
  }

  #begin(): readonly Stock[] {
    return Array.from({ length: objectsOfWriter }, (_, i) => ({
      store: stores[i % stores.length] as StoreName,
      amount: 100,
      edition: 0,
    }))
  }

  /** Moves an object to another type, and an amount between two objects of different types. */
  #change(): readonly Stock[] {
    const edition = this.commits.length
    const stock = [...(this.commits.at(-1)?.after.values() ?? [])]
    const at = (i: number) => stock[i] as Stock
    const moved = this.#random.below(stock.length)
    stock[moved] = { ...at(moved), edition, store: this.#storeOtherThan(at(moved).store) }
    const from = this.#random.below(stock.length)
    const to = this.#oneOf([...stock.keys()].filter((i) => at(i).store !== at(from).store))
    const amount = this.#random.below(50)
    stock[from] = { ...at(from), edition, amount: at(from).amount - amount }
    stock[to] = { ...at(to), edition, amount: at(to).amount + amount }
    return stock
  }

  async #commit(target: CommitTarget, stock: readonly Stock[]): Promise<void> {
    const number = this.commits.length
    const before = this.commits.at(-1)?.after
    const after = new Map(stock.map((each, i) => [`${this.name}-${String(i).padStart(3, '0')}`, each]))
    const lines: object[] = []
    const changed = new Set<StoreName>()
    for (const [id, { store, amount, edition }] of after) {
      if (edition !== number) continue
      const old = before?.get(id)?.store
      if (old !== undefined && old !== store) {
        lines.push({ type: 'delete', objectType: old, primaryKey: id })
        changed.add(old)
      }
      lines.push({ type: 'put', objectType: store, properties: { id, writer: this.name, amount, edition } })
      changed.add(store)
    }
    // Known before it is sent: a reader may see a commit before its writer has the answer.
    const commit: Commit = { after, stores: changed }
    this.commits.push(commit)
    const text = lines.map((line) => JSON.stringify(line))
    const { version } = await sendCommit(target, `${this.name} ${number}`, text)
    commit.version = Number(version)
  }

  #storeOtherThan(store: StoreName): StoreName {
    return this.#oneOf(stores.filter((other) => other !== store))
  }

  #oneOf<T>(all: readonly T[]): T {
    const one = all[this.#random.below(all.length)]
    if (one === undefined) throw new Error('there is none')
    return one
  }
}
