// A collection in partitions: every object of the state exactly once, in order, in partitions of similar size, whatever is written meanwhile.
import { createClient, type Client } from '@octavo/client'
import { keyOf, type ObjectType } from '../../packages/service/test/inside.ts'
import { putItems } from '../../packages/service/test/support/load-items.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import {
  drawKeys,
  isAfter,
  keyedType,
  keyTypes,
  layouts,
  type DrawnKeys,
  type KeyType,
} from './key-collections.ts'

/** From so many objects on, no partition may be more than twice the mean. */
const judgedFrom = 10_000

const sizes = {
  short: [0, 60, 2_000, 12_000, 20_000],
  long: [0, 1, 60, 2_000, 10_000, 12_000, 30_000, 60_000, 100_000, 1_000_000],
}

export async function provePartitions(proof: Proof): Promise<void> {
  const splits = proof.short ? 15 : 500
  await proof.point(
    `${splits} splits of collections with keys of every type and layout, under a writer: exact, in order, no partition twice the mean`,
    () => withServedCollection((served) => showSplits(proof, served, splits)),
  )
}

interface Largest {
  readonly times: number
  readonly where: string
}

async function showSplits(proof: Proof, served: ServedCollection, splits: number): Promise<string> {
  const seed = Date.now() % 1_000_000
  proof.say(`seed ${seed}`)
  const random = randomFrom(seed)
  const counts = proof.short ? sizes.short : sizes.long
  // Every size is split as often; the largest are few, because reading them takes long.
  const collections = proof.short ? counts.length : 50
  let objects = 0
  let commits = 0
  let largest: Largest = { times: 0, where: 'none' }
  for (let i = 0; i < collections; i += 1) {
    const isLargest = !proof.short && i < 2
    const count = counts[isLargest ? counts.length - 1 : i % (counts.length - (proof.short ? 0 : 1))] ?? 0
    const [type, layout] = [
      keyTypes[i % keyTypes.length] ?? 'string',
      layouts[(i + 3 + Math.floor(i / 5)) % 4] ?? 'random',
    ]
    const collection = await Collection.make(served, {
      name: `c${i}`,
      type,
      drawn: drawKeys(type, layout, { count, random }),
    })
    const times = Math.round(splits / collections)
    for (let split = 0; split < (isLargest ? 2 : times); split += 1) {
      const partitionCount = 1 + random.below(64)
      const read = await collection.splitAndRead(createClient({ url: served.url, token: testToken }), {
        partitionCount,
        random,
      })
      objects += read.objects
      if (read.objects >= judgedFrom && partitionCount > 1) {
        const ratio = read.largest / (read.objects / partitionCount)
        if (ratio > largest.times)
          largest = {
            times: ratio,
            where: `${partitionCount} partitions of ${read.objects.toLocaleString('en')} ${type} keys, ${layout}`,
          }
      }
    }
    commits += collection.commits
    if (count >= judgedFrom)
      proof.say(`${count.toLocaleString('en')} ${type} keys, ${layout}: split ${times} times`)
  }
  const text = `${largest.times.toFixed(2)} times the mean (${largest.where})`
  expect(largest.times <= 2, `a partition was ${text}`)
  return `${objects.toLocaleString('en')} objects read in partitions, ${commits.toLocaleString('en')} commits meanwhile, 0 missing, repeated or out of order; the largest partition ${text}`
}

interface Ended {
  readonly version: bigint
  readonly isAlive: boolean
}

class Collection {
  readonly #served: ServedCollection
  readonly #type: ObjectType
  readonly #keyType: KeyType
  readonly #drawn: DrawnKeys
  /** The keys that were loaded, in the form of the wire. */
  readonly #base: Set<string>
  /** What happened to a key since, oldest first. */
  readonly #changes = new Map<string, Ended[]>()
  commits = 0

  private constructor(served: ServedCollection, type: ObjectType, keyType: KeyType, drawn: DrawnKeys) {
    this.#served = served
    this.#type = type
    this.#keyType = keyType
    this.#drawn = drawn
    this.#base = new Set(drawn.keys.map(String))
  }

  static async make(
    served: ServedCollection,
    { name, type, drawn }: { readonly name: string; readonly type: KeyType; readonly drawn: DrawnKeys },
  ): Promise<Collection> {
    const objectType = await served.store.applyObjectType(served.ontology, keyedType(name, type))
    await putItems(
      served.store,
      objectType,
      drawn.keys.map((key) => ({ key, edition: 1 })),
    )
    return new Collection(served, objectType, type, drawn)
  }

  async splitAndRead(
    client: Client,
    { partitionCount: wanted, random }: { readonly partitionCount: number; readonly random: Random },
  ): Promise<{ readonly objects: number; readonly largest: number }> {
    const objects = client.family('proof').objects(this.#type.apiName)
    const writing = new AbortController()
    const written = this.#write(random, writing.signal)
    try {
      const { partitions, version, totalCount } = await objects.partitions(wanted, {
        pageSize: 100 + random.below(900),
      })
      expect(
        partitions.length >= 1 && partitions.length <= wanted,
        `${partitions.length} partitions instead of ${wanted}`,
      )
      const keys = await Promise.all(
        partitions.map(async (partition) => {
          const itsKeys: string[] = []
          for await (const { data } of partition.pages())
            for (const object of data) itsKeys.push(object.primaryKey)
          return itsKeys
        }),
      )
      // By then, every commit that may be in the state is known here.
      writing.abort()
      await written
      this.#judge(keys.flat(), BigInt(version), totalCount)
      return { objects: keys.flat().length, largest: Math.max(...keys.map(({ length }) => length)) }
    } finally {
      writing.abort()
      await written
    }
  }

  #judge(keys: readonly string[], version: bigint, totalCount: string | undefined): void {
    for (const [i, key] of keys.entries()) {
      const before = keys[i - 1]
      expect(before === undefined || isAfter(this.#keyType, before, key), `${key} comes after ${before}`)
      expect(this.#isAliveAt(key, version), `${key} is not in version ${version}`)
    }
    let alive = this.#base.size
    for (const key of this.#changes.keys())
      alive += Number(this.#isAliveAt(key, version)) - Number(this.#base.has(key))
    expect(keys.length === alive, `${keys.length} objects instead of ${alive} at version ${version}`)
    expect(totalCount === String(alive), `a total of ${totalCount} instead of ${alive}`)
  }

  #isAliveAt(key: string, version: bigint): boolean {
    const last = this.#changes.get(key)?.findLast((change) => change.version <= version)
    return last?.isAlive ?? this.#base.has(key)
  }

  /** Inserts, deletes and changes a few objects in every commit, also before the first key and after the last one. */
  async #write(random: Random, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const changes = new Map<string, boolean>()
      const known = this.#drawn.keys
      const puts = Array.from({ length: 3 }, () => this.#drawn.another())
      for (let i = 0; i < 4 && known.length > 0; i += 1) {
        const key = known[random.below(known.length)] ?? ''
        if (random.next() < 0.5) puts.push(key)
        else changes.set(String(key), false)
      }
      for (const key of puts) changes.set(String(key), true)
      const receipt = await this.#served.store.commit({
        parts: [
          {
            type: this.#type,
            changes: [...changes].map(([text, isAlive]) => {
              const key = this.#keyType === 'integer' ? Number(text) : text
              const put = putObject(this.#type, { key, edition: random.below(1_000_000) })
              return isAlive ? put : { kind: 'delete' as const, key: keyOf(put) }
            }),
          },
        ],
      })
      this.commits += 1
      const version = BigInt(receipt.version)
      for (const [key, isAlive] of changes) {
        const list = this.#changes.get(key) ?? []
        list.push({ version, isAlive })
        this.#changes.set(key, list)
      }
    }
  }
}
