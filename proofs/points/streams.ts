// Streams: exact wherever they are cut, nothing held for those who do not read them, and fair to those who ask for pages.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@octavo/client'
import { items, loadItems, putItems } from '../../packages/service/test/support/load-items.ts'
import { grantTo, newTokenOf, testToken } from '../../packages/service/test/support/test-access.ts'
import { randomFrom } from '../harness/random.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { forEachNumber, keepAliveClient } from '../harness/keep-alive-client.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { startByteCuttingProxy } from './byte-cutting-proxy.ts'
import { startStreamLoad } from './stream-load.ts'

const path = (type: string, verb: 'export' | 'search') => `/api/proof/v1/objects/types/${type}/${verb}`
/** About as many as a record of these items has. */
const objectBytes = 230
const everything = { query: { type: 'empty' } } as const

export async function proveStreams(proof: Proof): Promise<void> {
  const streams = proof.short ? 20 : 500
  await proof.point(
    `${streams} streams, each cut at random bytes and continued by the client under a writer, are exact`,
    () => withServedCollection((served) => cutStreams(proof, served, streams)),
  )
  const seconds = proof.short ? 3 : 60
  await proof.point(
    `A client that reads nothing of its stream for ${seconds} s holds no connection and no transaction, and pages are still served`,
    () => withServedCollection((served) => unreadStream(served, seconds)),
  )
  const atOnce = proof.short ? 20 : 200
  const bound = proof.short ? 'are all answered' : 'have a p99 of at most twice that without them'
  await proof.point(`Pages beside ${atOnce} streams of another caller ${bound}`, () =>
    withServedCollection((served) => pagesBesideStreams(proof, served, atOnce)),
  )
}

async function cutStreams(proof: Proof, served: ServedCollection, streams: number): Promise<string> {
  const { url, store, ontology } = served
  const objects = 3_000
  const { type } = await loadItems(store, ontology, objects, 'item')
  const seed = Date.now() % 1_000_000
  proof.say(`seed ${seed}`)
  const random = randomFrom(seed)
  // Some connections last longer than a stream, so that it ends before its retries do.
  const bytesOf = () => 1 + random.below(objectBytes * objects * (random.next() < 0.7 ? 1 : 4))
  const proxy = await startByteCuttingProxy(url, bytesOf)
  let commits = 0
  const done = new AbortController()
  const writer = (async () => {
    while (!done.signal.aborted) {
      const rank = random.below(1_000)
      const changed = items(objects).slice(rank, rank + 50)
      await putItems(
        store,
        type,
        changed.map((item) => ({ ...item, rank: commits })),
      )
      commits += 1
      await sleep(20)
    }
  })()
  const straight = createClient({ url, token: testToken }).family('proof').objects('item')
  try {
    await forEachNumber(streams, 8, async () => {
      const client = createClient({ url: proxy.url, token: testToken, backoffMilliseconds: 2 })
      const walk = client
        .family('proof')
        .objects('item')
        .stream({ pageSize: 50 + random.below(950), readAhead: random.below(3) })
      const read: unknown[] = []
      let snapshotToken: string | undefined
      for await (const page of walk.pages()) {
        read.push(...page.data)
        snapshotToken = page.snapshotToken
      }
      expect(snapshotToken !== undefined, 'a stream ended without the name of its state')
      const same = await straight.all({ snapshotToken }).toArray()
      expect(same.length === objects, `the state has ${same.length} objects`)
      expect(isDeepStrictEqual(read, same), `a stream of ${read.length} objects is not its state`)
    })
  } finally {
    done.abort()
    await writer
    await proxy.close()
  }
  expect(proxy.cuts() > streams / 4, `only ${proxy.cuts()} connections were cut`)
  return `${streams} exact, ${proxy.cuts()} cuts, ${commits} commits meanwhile`
}

async function unreadStream({ url, store, ontology }: ServedCollection, seconds: number): Promise<string> {
  const { type } = await loadItems(store, ontology, 0, 'large')
  await putItems(
    store,
    type,
    items(400).map((item) => ({ ...item, tags: ['x'.repeat(100_000)] })),
  )
  await loadItems(store, ontology, 2_000, 'item')
  const headers = { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' }
  const sent = request(url + path('large', 'export'), { method: 'POST', headers, agent: false })
  sent.end(JSON.stringify({ ...everything, pageSize: 10 }))
  const [unread] = (await once(sent, 'response')) as [IncomingMessage]
  unread.on('error', () => {})
  // By then everything on the way is full.
  await sleep(1_000)
  const client = keepAliveClient(url, 1)
  const times: number[] = []
  let [samples, most, before] = [0, 0, new Set<number>()]
  const until = performance.now() + seconds * 1_000
  while (performance.now() < until) {
    const since = performance.now()
    const page = await client.send(jsonCall({ ...everything, pageSize: 1_000 }))
    expect(page.status === 200, `a page beside it was answered ${page.status}`)
    times.push(performance.now() - since)
    const rows = await store.database.rows({
      text: `select pid, extract(epoch from clock_timestamp() - xact_start) as seconds from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and (state <> 'idle' or xact_start is not null)`,
      values: [],
    })
    const busy = new Set(rows.map(({ pid }) => Number(pid)))
    const held = [...busy].filter((pid) => before.has(pid))
    expect(held.length === 0, `connection ${held.join()} is not idle from one look to the next`)
    most = Math.max(most, ...rows.map((row) => Number(row['seconds'] ?? 0)))
    before = busy
    samples += 1
    await sleep(200)
  }
  expect(most < 0.2, `a transaction was open for ${most} s`)
  client.close()
  unread.destroy()
  return `${samples} looks, no connection busy in two of them; ${times.length} pages beside it, p99 ${p99(times).toFixed(0)} ms`
}

/**
 * Pages of one caller, measured in turns: alone, beside the streams of another caller, and beside as many of its walks that ask page
 * by page. Either load takes all that it is given, so the pages are slower beside both.
 */
async function pagesBesideStreams(
  proof: Proof,
  { url, store, ontology }: ServedCollection,
  streams: number,
): Promise<string> {
  await loadItems(store, ontology, proof.short ? 5_000 : 20_000, 'item')
  const rounds = proof.short ? 1 : 6
  const milliseconds = proof.short ? 4_000 : 10_000
  await grantTo(store, 'copier', ontology.rid, 'reader')
  const { token } = await newTokenOf(store, { subject: 'copier' })
  const client = keepAliveClient(url, 1)
  const measure = async (): Promise<readonly number[]> => {
    const times: number[] = []
    for (const until = performance.now() + milliseconds; performance.now() < until;) {
      const since = performance.now()
      const { status } = await client.send(jsonCall({ ...everything, pageSize: 100 }))
      expect(status === 200, `a page was answered ${status}`)
      times.push(performance.now() - since)
    }
    return times
  }
  const beside = async (verb: 'export' | 'search'): Promise<Beside> => {
    const load = await startStreamLoad({
      url,
      token,
      path: path('item', verb),
      body: { ...everything, ...(verb === 'search' && { snapshot: true }), pageSize: 1_000 },
      streams,
    })
    const since = performance.now()
    await sleep(500)
    const times = await measure()
    const seconds = (performance.now() - since) / 1_000
    const megabytes = (await load.stop()) / 1e6
    expect(megabytes > 1, 'the load read nothing')
    await sleep(500)
    return { times, megabytesASecond: megabytes / seconds }
  }
  await measure()
  const alone: number[] = []
  const streamed: Beside[] = []
  const walked: Beside[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await measure()))
    if (round % 2 === 0) streamed.push(await beside('export'))
    walked.push(await beside('search'))
    if (round % 2 === 1) streamed.push(await beside('export'))
  }
  client.close()
  const factor = p99(timesOf(streamed)) / p99(alone)
  const figures = [
    `alone ${described(alone)}`,
    `beside ${streams} streams ${describedBeside(streamed)}`,
    `beside ${streams} walks ${describedBeside(walked)}`,
  ].join('; ')
  proof.say(figures)
  // The short form asserts nothing that depends on what else this machine does.
  expect(proof.short || factor <= 2, `the p99 of pages is ${factor.toFixed(1)} times that without streams`)
  return `the p99 of pages is ${factor.toFixed(1)} times that without streams`
}

interface Beside {
  readonly times: readonly number[]
  readonly megabytesASecond: number
}

const timesOf = (measured: readonly Beside[]): readonly number[] => measured.flatMap(({ times }) => times)

const described = (times: readonly number[]): string =>
  `p50 ${at(times, 0.5).toFixed(0)}, p99 ${p99(times).toFixed(0)} ms`

function describedBeside(measured: readonly Beside[]): string {
  const rate = measured.reduce((sum, { megabytesASecond }) => sum + megabytesASecond, 0) / measured.length
  return `${described(timesOf(measured))} (the load reads ${rate.toFixed(0)} MB/s)`
}

const jsonCall = (body: object) => ({
  method: 'POST',
  path: path('item', 'search'),
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

const p99 = (times: readonly number[]): number => at(times, 0.99)
