// Differences between two states: all changes once, and a token only at their end.
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { hashOfObject, sumOfChecksums } from '../index.ts'
import {
  allOf,
  failureOf,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../../test/support/scripted-server.ts'

const object = (i: number) => ({ primaryKey: `k${i}`, objectType: 'o', properties: { id: `k${i}` } })
const put = (i: number) => ({ type: 'put', primaryKey: `k${i}`, object: object(i) })
const removed = (i: number) => ({ type: 'delete', primaryKey: `k${i}`, reason: 'deleted' })

const versions = { fromVersion: '4', toVersion: '7' }
const end = { snapshotToken: 'Ag7', totalCount: '3', checksum: '00000000000000aa' }

/** Three pages, the second of them without changes. */
const threePages = ({ pageToken }: Pick<Asked, 'pageToken'>): Scripted => {
  if (pageToken === undefined)
    return { body: { data: [put(1), removed(2)], ...versions, nextPageToken: 'p2' } }
  if (pageToken === 'p2') return { body: { data: [], ...versions, nextPageToken: 'p3' } }
  return { body: { data: [put(3)], ...versions, ...end } }
}

const changesOf = async (
  answer: (asked: Asked) => Scripted | Promise<Scripted>,
  options: object = {},
  client: object = {},
) => {
  const server = await scriptedServer(answer)
  const objects = server.client(client).family('f').objects('o')
  return { ...server, difference: objects.changes('Ag4', options) }
}

const received = [
  { type: 'put', primaryKey: 'k1', object: object(1) },
  { type: 'delete', primaryKey: 'k2', reason: 'deleted' },
  { type: 'put', primaryKey: 'k3', object: object(3) },
]

it('P270: a difference returns the changes of all pages, and puts are objects as a walk returns them', async () => {
  const { difference, asked } = await changesOf(threePages, {
    query: { type: 'eq', field: 'a', value: 1 },
    select: ['id'],
    pageSize: 2,
    toSnapshotToken: 'Ag7',
    waitSeconds: 3,
  })
  expect(await allOf(difference)).toEqual(received)
  expect(difference.ended).toBe(true)
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 'p2', 'p3'])
  expect(asked[0]).toMatchObject({
    method: 'POST',
    url: { pathname: '/api/f/v1/objects/types/o/changes' },
    body: {
      fromSnapshotToken: 'Ag4',
      toSnapshotToken: 'Ag7',
      query: { type: 'eq', field: 'a', value: 1 },
      select: ['id'],
      pageSize: 2,
      waitSeconds: 3,
    },
  })
})

it('without options it asks for all changes up to the latest state, at once', async () => {
  const { difference, asked } = await changesOf(threePages)
  expect(await allOf(difference.pages())).toEqual([received.slice(0, 2), received.slice(2)])
  expect(asked[0]?.body).toEqual({ fromSnapshotToken: 'Ag4', pageSize: 1_000 })
})

it('P271, P272: the token is known when all changes have been returned, and not one change earlier', async () => {
  const { difference } = await changesOf(threePages)
  const facts = ['snapshotToken', 'fromVersion', 'toVersion', 'totalCount', 'checksum'] as const
  let count = 0
  for await (const _ of difference) {
    count += 1
    for (const fact of facts) expect(() => difference[fact]).toThrow('UnfinishedDifference')
    // A new loop continues where the last one was left, also within the last page.
    if (count === 1 || count === 3) break
    for await (const { primaryKey } of difference) {
      expect(primaryKey).toBe('k2')
      break
    }
  }
  expect(inspect(difference)).toContain('ended: false')
  expect((await allOf(difference)).map(({ primaryKey }) => primaryKey)).toEqual(['k2', 'k3'])
  const { snapshotToken, fromVersion, toVersion, totalCount, checksum } = difference
  expect({ snapshotToken, fromVersion, toVersion, totalCount, checksum }).toEqual({ ...versions, ...end })
  expect(inspect(difference)).toContain('changes: 3')
})

it('a query has no count, so that it is undefined at the end', async () => {
  const { difference } = await changesOf(() => ({ body: { data: [], ...versions, snapshotToken: 'Ag7' } }))
  expect(await allOf(difference)).toEqual([])
  expect(difference.snapshotToken).toBe('Ag7')
  expect([difference.totalCount, difference.checksum]).toEqual([undefined, undefined])
})

it('P278: a request that fails is repeated, with the same token', async () => {
  const { difference, asked } = await changesOf((each) =>
    each.number % 2 === 1 ? { status: 503, body: {} } : threePages(each),
  )
  expect(await allOf(difference)).toEqual(received)
  expect(asked.map(({ pageToken = '' }) => pageToken)).toEqual(['', '', 'p2', 'p2', 'p3', 'p3'])
})

it.for([
  ['ConsistentSnapshotError', 409, { objectType: 'o' }],
  ['InvalidPageToken', 400, { reason: 'expired' }],
] as const)(
  'P278: %s in the middle says to begin again with the same since',
  async ([errorName, status, parameters]) => {
    const { difference } = await changesOf((each) =>
      each.pageToken === undefined
        ? threePages(each)
        : { status, body: { errorName, errorCode: 'CONFLICT', errorInstanceId: 'e1', parameters } },
    )
    expect(difference.isLost).toBe(false)
    const failure = await failureOf(allOf(difference))
    expect(failure).toMatchObject({ errorName, parameters, status, errorInstanceId: 'e1' })
    expect(failure.message).toContain('begin again with the same `since`')
    expect(difference.isLost).toBe(true)
    expect(() => difference.snapshotToken).toThrow('UnfinishedDifference')
  },
)

it('P275: ChangesExpired has its reason, and is not lost but refused', async () => {
  const parameters = { objectType: 'o', reason: 'tooOld' }
  const { difference, asked } = await changesOf(() => ({
    status: 409,
    body: { errorName: 'ChangesExpired', errorDescription: 'Read all objects again.', parameters },
  }))
  const failure = await failureOf(allOf(difference))
  expect(failure).toMatchObject({ errorName: 'ChangesExpired', parameters })
  expect(failure.message).toContain('Read all objects again')
  expect([difference.isLost, asked.length]).toEqual([false, 1])
})

const page = { data: [put(1)], ...versions }

it.for([
  ['stateMisplaced', { ...page }],
  ['stateMisplaced', { ...page, nextPageToken: 'p2', snapshotToken: 'Ag7' }],
  ['stateMisplaced', { ...page, snapshotToken: '' }],
  ['tokenUnusable', { ...page, nextPageToken: '' }],
  ['snapshotChanged', { ...page, toVersion: '8', snapshotToken: 'Ag8' }],
  ['snapshotChanged', { ...page, fromVersion: '5', snapshotToken: 'Ag7' }],
  ['snapshotChanged', { data: [], snapshotToken: 'Ag7' }],
  ['repeatedToken', { ...page, nextPageToken: 'p2' }],
  ['dataMissing', { ...versions, snapshotToken: 'Ag7' }],
  ['changeUnknown', { ...page, data: [{ type: 'merge', primaryKey: 'k1' }], snapshotToken: 'Ag7' }],
  ['changeUnknown', { ...page, data: [{ type: 'delete' }], snapshotToken: 'Ag7' }],
  ['changeUnknown', { ...page, data: [null], snapshotToken: 'Ag7' }],
] as const)(
  'P432: a second page that is wrong, or has a change of an unknown type, is refused: %s',
  async ([problem, wrong]) => {
    const { difference } = await changesOf((each) =>
      each.pageToken === undefined ? threePages(each) : { body: wrong },
    )
    expect(await failureOf(allOf(difference))).toMatchObject({
      errorName: 'InvalidPage',
      parameters: { problem },
    })
  },
)

it('P276: the service may wait longer than the time-out of a request', async () => {
  const { difference } = await changesOf(
    async (each) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return threePages(each)
    },
    { waitSeconds: 2 },
    { timeoutSeconds: 0.1, retries: 0 },
  )
  expect(await allOf(difference)).toHaveLength(3)
})

it('an aborted signal ends it, also within a page', async () => {
  const stop = new AbortController()
  const { difference } = await changesOf(threePages, { signal: stop.signal })
  const taken: string[] = []
  const reading = (async () => {
    for await (const { primaryKey } of difference) {
      taken.push(primaryKey)
      stop.abort(new Error('enough'))
    }
  })()
  expect(String(await failureOf(reading))).toContain('enough')
  expect(taken).toEqual(['k1'])
})

it('options are checked where they are given', async () => {
  const { client } = await scriptedServer(threePages)
  const objects = client().family('f').objects('o')
  for (const since of ['', undefined, 7]) {
    expect(() => objects.changes(since as string)).toThrow('snapshotToken of the state that you have')
  }
  const wrong = (options: object) => () => objects.changes('Ag4', options)
  expect(wrong({ fromSnapshotToken: 'Ag4' })).toThrow('changes(fromSnapshotToken, options)')
  expect(wrong({ waitSeconds: 31 })).toThrow('0 to 30')
  expect(wrong({ until: 'Ag7' })).toThrow('Did you mean `toSnapshotToken`?')
  expect(wrong({ snapshot: true })).toThrow('has no option `snapshot`')
})

it('P250: a copy keeps its checksum, object by object', () => {
  const [a, b, c] = [object(1), object(2), { ...object(1), properties: { id: 'k1', other: 2 } }]
  const whole = sumOfChecksums([hashOfObject(a), hashOfObject(b)])
  const later = sumOfChecksums([whole, hashOfObject(c)], [hashOfObject(a), hashOfObject(b)])
  expect(later).toBe(hashOfObject(c))
  expect(later).not.toBe(hashOfObject(a))
  expect(sumOfChecksums([], [hashOfObject(a)])).toBe(sumOfChecksums(['0'.repeat(16)], [hashOfObject(a)]))
  expect(sumOfChecksums([whole], [undefined])).toBeUndefined()
})
