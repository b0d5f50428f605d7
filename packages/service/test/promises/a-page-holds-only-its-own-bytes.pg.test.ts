// Pages are stored in buffers that are reused for later pages. Here clients of several types read slowly, disconnect halfway
// or read their whole page, all at once, compressed or not: every client must get its own page.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { collectionOf, itemDefinition, putItems } from '../support/load-items.ts'
import { searching, type Collection } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { testToken } from '../support/test-access.ts'

const unpack = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
  zstd: (bytes: Buffer) => zstdDecompressSync(bytes),
}
type Accepts = keyof typeof unpack
const codings = ['identity', 'zstd', 'gzip', 'identity', 'br'] as const

const kinds = ['ant', 'bee', 'cat']
const perPage = 300
const rounds = 60
const atOnce = 12

/** Texts of different lengths, so that bytes left over from another page show. */
const textOf = (kind: string): string => kind.repeat(5_000 + 300 * kinds.indexOf(kind))

const served = forAllTests(serveOnFreshDatabase)
let collections: readonly Collection[]

beforeAll(async () => {
  const { store, ontology } = served
  collections = await Promise.all(
    kinds.map(async (kind) => {
      const type = await store.applyObjectType(ontology, itemDefinition(kind))
      const items = Array.from({ length: perPage }, (_, number) => ({
        id: `${kind}-${String(number).padStart(4, '0')}`,
        rank: number,
        // More than the buffers of a connection hold, so that a slow reader's page is still being sent.
        tags: [textOf(kind)],
      }))
      await putItems(store, type, items)
      return collectionOf(ontology, type)
    }),
  )
})

const requestOf = (collection: Collection, accepts: Accepts): string => {
  const { path, init } = searching.call(collection, { pageSize: perPage })
  const lines = Object.entries({
    host: 'localhost',
    authorization: `Bearer ${testToken}`,
    'accept-encoding': accepts,
    'content-length': String(Buffer.byteLength(init.body ?? '')),
    ...init.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${init.method} ${path} HTTP/1.1\r\n${lines.join('')}connection: close\r\n\r\n${init.body ?? ''}`
}

const ask = (collection: Collection, accepts: Accepts): Socket => {
  const { hostname, port } = new URL(served.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(requestOf(collection, accepts))
  return socket
}

interface Reading {
  readonly accepts: Accepts
  readonly ms: number
}

async function leaveInTheMiddle(collection: Collection, { accepts, ms: afterMs }: Reading): Promise<void> {
  const socket = ask(collection, accepts)
  await sleep(afterMs)
  socket.destroy()
}

/** Returns whether the page was compressed. */
async function readAll(collection: Collection, { accepts, ms: pauseMs }: Reading): Promise<boolean> {
  const socket = ask(collection, accepts)
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  const answer = Buffer.concat(chunks)
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  const isPacked = answer.subarray(0, bodyAt).toString().includes(`content-encoding: ${accepts}`)
  const body = answer.subarray(bodyAt)
  const text = (isPacked ? unpack[accepts](body) : body).toString()
  const { data } = JSON.parse(text) as { data: { properties: { id: string; tags: string[] } }[] }
  const kind = collection.objectType
  expect(data.map(({ properties }) => properties.id)).toEqual(
    Array.from({ length: perPage }, (_, number) => `${kind}-${String(number).padStart(4, '0')}`),
  )
  expect(new Set(data.map(({ properties }) => properties.tags.join('')))).toEqual(new Set([textOf(kind)]))
  return isPacked
}

it('a reader that reads to the end has its own page, while others read slowly or go away', async () => {
  let turn = 0
  let whole = 0
  let packed = 0
  const client = async () => {
    while (turn < rounds) {
      turn += 1
      const collection = collections[turn % collections.length]
      const accepts = codings[turn % codings.length]
      if (collection === undefined || accepts === undefined) return
      if (turn % 4 === 0) {
        await leaveInTheMiddle(collection, { accepts, ms: turn % 16 })
        continue
      }
      if (await readAll(collection, { accepts, ms: turn % 4 === 1 ? 1 : 0 })) packed += 1
      whole += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  expect(whole).toBeGreaterThan(rounds / 2)
  expect(packed).toBeGreaterThan(0)
})
