// Pages of large objects: each is limited by the byte budget, and many such walks at once do not use much memory.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@octavo/protocol'
import { collectionOf, itemId, putItems } from '../../packages/service/test/support/load-items.ts'
import { revisions, type Collection } from '../../packages/service/test/support/page-revisions.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedItems } from './serve-items.ts'

const objects = 1_000
const objectBytes = 100_000
const walks = 50
const mostMegabytes = 512

export async function proveMemory(proof: Proof, served: ServedItems): Promise<void> {
  const collection = await loadLarge(served)
  await proof.point(
    `Pages of objects of 100 KB are cut by the byte budget, and ${walks} such walks at once stay below ${mostMegabytes} MB`,
    async () => {
      const { service } = served
      // All walks request their first page at once, so the short form has the same peak.
      const mostPages = proof.short ? 4 : Number.POSITIVE_INFINITY
      const startedAt = performance.now()
      const tallies = await Promise.all(
        Array.from({ length: walks }, (_, number) => walkLarge(served, collection, { number, mostPages })),
      )
      const seconds = (performance.now() - startedAt) / 1000
      const pages = tallies.reduce((sum, tally) => sum + tally.pages, 0)
      const bytes = tallies.reduce((sum, tally) => sum + tally.bytes, 0)
      const largest = Math.max(...tallies.map((tally) => tally.largest))
      const refused = tallies.reduce((sum, tally) => sum + tally.refused, 0)
      const { most } = service.memory()
      proof.say(`${pages} pages, ${refused} requests sent again, at most ${most} MB`)
      const expected = proof.short ? 4 * 83 : objects
      expect(
        tallies.every((tally) => tally.objects === expected),
        `a walk has not returned ${expected} objects`,
      )
      expect(largest < limits.page.byteBudget + 2 * objectBytes, `a page has ${largest} bytes`)
      // Overloaded is not a failure: there are more walks than database connections.
      const failures = service.failures().filter((line) => !line.includes('"errorName":"Overloaded"'))
      expect(failures.length === 0, `a request failed: ${failures[0]}`)
      expect(most < mostMegabytes, `the service needed ${most} MB`)
      return `${walks} walks, ${pages} pages, the largest of ${largest} bytes, ${Math.round(bytes / 1e6 / seconds)} MB/s, ${refused} requests sent again, at most ${most} MB`
    },
  )
}

async function loadLarge({ store, ontology }: ServedItems): Promise<Collection> {
  const type = await store.applyObjectType(ontology, {
    apiName: 'large',
    displayName: 'Large',
    primaryKey: 'id',
    titleProperty: 'id',
    properties: { id: { type: 'string' }, text: { type: 'string' } },
  })
  for (let from = 0; from < objects; from += 50) {
    const some = Array.from({ length: 50 }, (_, i) => ({
      id: itemId(from + i),
      text: randomBytes(objectBytes / 2).toString('hex'),
    }))
    await putItems(store, type, some)
  }
  return collectionOf(ontology, type)
}

interface LargeWalk {
  readonly pages: number
  readonly objects: number
  readonly bytes: number
  readonly largest: number
  /** Requests that were refused with a Retry-After, and retried. */
  readonly refused: number
}

function countOf(body: Buffer, text: string): number {
  let count = 0
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) count += 1
  return count
}

/** Half of them in each revision, half of them in snapshot mode. Bodies are counted and not kept. */
async function walkLarge(
  { service }: ServedItems,
  collection: Collection,
  { number, mostPages }: { readonly number: number; readonly mostPages: number },
): Promise<LargeWalk> {
  const revision = revisions[number % 2]
  if (revision === undefined) throw new Error('no revision')
  const snapshot = number % 4 < 2
  const tally = { pages: 0, objects: 0, bytes: 0, largest: 0, refused: 0 }
  let pageToken: string | undefined
  do {
    const { path, init } = revision.call(collection, { snapshot, pageSize: 1_000, pageToken })
    const headers = { authorization: `Bearer ${testToken}`, ...init.headers }
    const response = await fetch(service.url + path, { ...init, headers })
    const body = Buffer.from(await response.arrayBuffer())
    if (response.status === 503) {
      tally.refused += 1
      await sleep(1_000 * Number(response.headers.get('retry-after')))
      continue
    }
    if (response.status !== 200) throw new Error(`${response.status} ${body.toString('utf8', 0, 200)}`)
    tally.pages += 1
    tally.objects += countOf(body, '"properties":{')
    tally.bytes += body.length
    tally.largest = Math.max(tally.largest, body.length)
    pageToken = /"nextPageToken":"([^"]+)"/.exec(body.toString('utf8', body.length - 10_000))?.[1]
  } while (tally.pages < mostPages && (pageToken !== undefined || tally.pages === 0))
  return tally
}
