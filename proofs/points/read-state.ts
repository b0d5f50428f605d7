// Reads all four types, page by page in a random order, as several callers, and asks for counts and single objects of the same state.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@octavo/client'
import type { Random } from '../harness/random.ts'
import { stores, type Stock, type StoreName } from './moving-stock.ts'
import type { TwoInstances } from './two-instances.ts'

export interface Readers {
  readonly instances: TwoInstances
  readonly ontologyRid: string
  /** The tokens of different subjects. */
  readonly callers: readonly string[]
}

/** For each type the token of the state to read it in. */
export type Tokens = Readonly<Record<StoreName, string>>

export interface State {
  readonly versions: Readonly<Record<StoreName, string>>
  /** By key; an object that two types have is in `twice`. */
  readonly stock: ReadonlyMap<string, Stock & { readonly writer: string }>
  readonly twice: readonly string[]
  readonly counts: Readonly<Record<StoreName, number>>
  readonly pages: number
}

type FoundStock = { readonly properties: Readonly<Record<string, unknown>> }

export const clientOf = ({ instances }: Readers, token: string): Client =>
  createClient({ url: instances.url, token, fetch: instances.fetch, backoffMilliseconds: 50, retries: 20 })

export async function readState(readers: Readers, tokens: Tokens, random: Random): Promise<State> {
  const walks = stores.map((store) => ({
    store,
    pages: clientOf(readers, callerBy(readers, random))
      .family('proof')
      .objects(store)
      .all({
        snapshotToken: tokens[store],
        pageSize: 5 + random.below(60),
        // Also in other orders than that of the key.
        ...(random.next() < 0.3 && { orderBy: [{ field: 'id', direction: 'desc' }] as const }),
        readAhead: random.below(2),
      })
      .pages(),
  }))
  const stock = new Map<string, Stock & { readonly writer: string }>()
  const twice: string[] = []
  const versions: Partial<Record<StoreName, string>> = {}
  const counts: Record<StoreName, number> = { north: 0, east: 0, south: 0, west: 0 }
  const open = [...walks]
  let pages = 0
  while (open.length > 0) {
    const at = random.below(open.length)
    const walk = open[at]
    if (walk === undefined) break
    const { done, value: page } = await walk.pages.next()
    if (done === true) {
      open.splice(at, 1)
      continue
    }
    pages += 1
    versions[walk.store] = page.version ?? ''
    counts[walk.store] += page.data.length
    for (const object of page.data as readonly FoundStock[]) {
      const { id, ...found } = stockOf(object, walk.store)
      if (stock.has(id)) twice.push(id)
      stock.set(id, found)
    }
  }
  return { versions: versions as State['versions'], stock, twice, counts, pages }
}

function stockOf({ properties }: FoundStock, store: StoreName) {
  const { id, writer, amount, edition } = properties
  if (typeof id !== 'string' || typeof writer !== 'string') throw new Error('an object without its key')
  return { id, writer, store, amount: Number(amount), edition: Number(edition) }
}

/** What counts and single objects of the same state say otherwise than the pages did. */
export async function contradictions(
  readers: Readers,
  { state, tokens, random }: { readonly state: State; readonly tokens: Tokens; readonly random: Random },
): Promise<readonly string[]> {
  const found: string[] = []
  for (const store of stores) {
    const query = { query: { type: 'empty' }, snapshotToken: tokens[store] }
    const { body } = await ask(readers, random, `/api/proof/v1/objects/types/${store}/count`, query)
    const { totalCount, version } = body as Readonly<Record<string, unknown>>
    if (totalCount !== String(state.counts[store])) {
      found.push(`the count of ${store} is ${String(totalCount)}, not ${state.counts[store]}`)
    }
    if (version !== state.versions[store]) {
      found.push(`the count of ${store} is of another version`)
    }
  }
  const keys = [...state.stock.keys()]
  for (const store of stores) {
    const id = keys[random.below(keys.length)] ?? ''
    const expected = state.stock.get(id)
    const path = `/api/v1/ontologies/${readers.ontologyRid}/objects/${store}/${id}?snapshotToken=${tokens[store]}`
    const { status, body } = await ask(readers, random, path)
    const isThere = expected?.store === store
    if (status !== (isThere ? 200 : 404)) found.push(`${id} in ${store} was answered with ${status}`)
    if (!isThere || status !== 200) continue
    const got = stockOf(body as FoundStock, store)
    if (got.amount !== expected.amount || got.edition !== expected.edition) {
      found.push(`${id} alone has another state than in its page`)
    }
  }
  return found
}

/** Asks until an instance answers: one of them may be starting. */
async function ask(readers: Readers, random: Random, path: string, body?: object) {
  const { instances } = readers
  const authorization = `Bearer ${callerBy(readers, random)}`
  for (let attempt = 1; ; attempt += 1) {
    const answer = await instances
      .fetch(instances.url + path, {
        headers: { authorization, 'content-type': 'application/json' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch(() => undefined)
    if (answer !== undefined && answer.status < 500) return answer
    if (attempt === 100) throw new Error(`no answer to ${path}`)
    await sleep(100)
  }
}

export const callerBy = ({ callers }: Readers, random: Random): string =>
  callers[random.below(callers.length)] ?? ''
