// Partitions of one state, read side by side or elsewhere, and compared with the state as a whole (P253 to P257).
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  failureOf,
  keysOf,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../test/support/scripted-server.ts'

interface Vectors {
  readonly objects: readonly { readonly object: { readonly primaryKey: string } }[]
  readonly checksum: string
}

const { objects: vectors, checksum } = JSON.parse(
  readFileSync(new URL('../../../docs/reference/checksum-vectors.json', import.meta.url), 'utf8'),
) as Vectors
const objects = vectors.map(({ object }) => object)
const state = { snapshotToken: 'AgF', version: '7', totalCount: String(objects.length), checksum }

const [middle, size] = [20, 8]

/** Two partitions of these objects. The token of a page is where it begins and where its partition ends. */
const partitionsOf =
  (shown: readonly unknown[]) =>
  ({ url, pageToken = '' }: Asked): Scripted => {
    if (url.pathname.endsWith('/partitions')) {
      const data = [{ pageToken: `0-${middle}` }, { pageToken: `${middle}-${shown.length}` }]
      return { body: { data, ...state } }
    }
    const [from = 0, end = 0] = pageToken.split('-').map(Number)
    const to = Math.min(from + size, end)
    return {
      body: {
        data: shown.slice(from, to),
        version: '7',
        ...(to < end && { nextPageToken: `${to}-${end}` }),
      },
    }
  }

it('P254: each partition is read with its page token, the state and the query of the split', async () => {
  const { client, asked } = await scriptedServer(partitionsOf(objects))
  const split = await client()
    .family('f')
    .objects('o')
    .partitions(2, { pageSize: 8, query: { type: 'empty' }, snapshotToken: 'AgX' })
  expect(asked[0]?.body).toEqual({ partitionCount: 2, query: { type: 'empty' }, snapshotToken: 'AgX' })
  expect(split).toMatchObject(state)
  const keys = await Promise.all(split.partitions.map((partition) => keysOf(partition)))
  expect(keys.flat()).toEqual(objects.map(({ primaryKey }) => primaryKey))
  expect(asked[1]).toMatchObject({
    url: { pathname: '/api/f/v1/objects/types/o/search' },
    body: { query: { type: 'empty' }, pageSize: 8, snapshot: true, snapshotToken: 'AgF' },
  })
})

it.for([
  ['an object instead of another', [...objects.slice(0, -1), objects[0]], 50],
  ['an object less', objects.slice(0, -1), 49],
] as const)('P257: %s is noticed at the end of the last partition', async ([, shown, received]) => {
  const { client } = await scriptedServer(partitionsOf(shown))
  const { partitions } = await client().family('f').objects('o').partitions(2)
  const [first, second] = partitions
  if (first === undefined || second === undefined) throw new Error('not two partitions')
  expect(await keysOf(second)).toHaveLength(shown.length - middle)
  const failure = await failureOf(keysOf(first))
  expect(failure).toMatchObject({ errorName: 'IncompleteWalk', parameters: { expected: '50', received } })
  // Asked again, it is still wrong, and by no more.
  expect(await failureOf(keysOf(first))).toMatchObject({ parameters: { received } })
})

it('P256: partitions that were read elsewhere say what they have received', async () => {
  const { client } = await scriptedServer(partitionsOf(objects))
  const { partitions } = await client().family('f').objects('o').partitions(2)
  const texts = partitions.map((partition) => partition.save())
  let sum = 0n
  let count = 0
  for (const text of texts) {
    const partition = client().resume<{ primaryKey: string }>(text)
    const keys = await keysOf(partition)
    const { objects: read, checksum: itsSum } = partition.received
    expect(read).toBe(keys.length)
    sum += BigInt(`0x${itsSum}`)
    count += read
  }
  expect(count).toBe(50)
  expect(BigInt.asUintN(64, sum).toString(16).padStart(16, '0')).toBe(checksum)
})

it('P253: what cannot be split is said at once', async () => {
  const { client, asked } = await scriptedServer(partitionsOf(objects))
  const typed = client().family('f').objects('o')
  for (const count of [0, 65, 1.5, Number.NaN]) {
    expect(await failureOf(typed.partitions(count))).toMatchObject({ errorName: 'InvalidOption' })
  }
  const wrong = (options: object) => failureOf(typed.partitions(2, options))
  expect((await wrong({ orderBy: [] })).message).toContain('order of the primary key')
  expect((await wrong({ snapshot: true })).message).toContain('snapshotToken')
  expect((await wrong({ size: 3 })).message).toContain('Did you mean `pageSize`?')
  expect(asked).toEqual([])
})
