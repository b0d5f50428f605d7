// A walk never ends early in silence: whatever a server or a proxy does, the walk is complete or says why it is not.
import { expect, it } from 'vitest'
import { OctavoError } from '../index.ts'
import {
  failureOf,
  keysOf,
  numberedPages,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../../test/support/scripted-server.ts'

const pages = numberedPages(3)
const onSecond =
  (second: Scripted) =>
  (asked: Asked): Scripted =>
    asked.pageToken === 't2' ? second : pages(asked)
const data = [{ primaryKey: '3' }]

it.for([
  ['no data', { body: { nextPageToken: 't3' } }, 'dataMissing', 'has no list `data`'],
  ['data that is not a list', { body: { data: {} } }, 'dataMissing', 'has no list `data`'],
  ['a body that is a list', { body: [] }, 'dataMissing', 'has no list `data`'],
  [
    'an empty page with a token',
    { body: { data: [], nextPageToken: 't3' } },
    'emptyWithToken',
    'is empty although',
  ],
  [
    'an empty token',
    { body: { data, nextPageToken: '' } },
    'tokenUnusable',
    'has a `nextPageToken` that is empty or not a string',
  ],
  [
    'a token that is a number',
    { body: { data, nextPageToken: 3 } },
    'tokenUnusable',
    'has a `nextPageToken` that is empty or not a string',
  ],
  ['the token that was sent', { body: { data, nextPageToken: 't2' } }, 'repeatedToken', 'leads back'],
] as const)('%s is an error that says so', async ([, second, problem, sentence]) => {
  const { client } = await scriptedServer(onSecond(second))
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure).toBeInstanceOf(OctavoError)
  expect(failure).toMatchObject({ errorName: 'InvalidPage', parameters: { problem } })
  expect(failure.message).toContain(`Page 2 of /api/f/v1/objects/types/o/search ${sentence}`)
})

it.for([2, 3, 7, 20])('tokens that go round in a circle of %i are noticed', async (length) => {
  const { client } = await scriptedServer(({ number }) => ({
    body: { data, nextPageToken: `c${number % length}` },
  }))
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure).toMatchObject({ parameters: { problem: 'repeatedToken' } })
})

it('P4: null is the end in revision 1.0, and an error in 2.0', async () => {
  const { client } = await scriptedServer(onSecond({ body: { data, nextPageToken: null } }))
  const listed: unknown[] = []
  for await (const object of client().ontology('ri').objects('o').all()) listed.push(object)
  expect(listed).toHaveLength(3)
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure).toMatchObject({ parameters: { problem: 'tokenUnusable' } })
})

const unreadable: readonly (readonly [string, Scripted, string])[] = [
  ['a page of HTML', { headers: { 'content-type': 'text/html' }, body: '<html>Sign in' }, '<html>Sign in'],
  ['JSON that is cut off', { body: '{"data":[{"primaryKey":"3"}' }, 'not complete JSON'],
  ['an empty body', { body: '' }, 'not complete JSON'],
  ['another status of success', { status: 206, body: { data } }, 'answered 206'],
  ['an error that is not ours', { status: 500, body: 'oops' }, 'answered 500'],
]

it.for(unreadable)('%s is an error that shows it', async ([, second, shown]) => {
  const { client } = await scriptedServer(onSecond(second))
  const failure = await failureOf(keysOf(client({ retries: 2 }).family('f').objects('o').all()))
  expect(failure).toMatchObject({ errorName: 'UnreadableAnswer' })
  expect(failure.message).toContain(shown)
})

it('a body cut off in transit is asked for again, then it is an error', async () => {
  let cuts = 0
  const cut = (times: number) => (asked: Asked) => {
    if (asked.pageToken !== 't2' || cuts >= times) return pages(asked)
    cuts += 1
    return {
      instead: (reply) => {
        reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        reply.write('{"data":[', () => reply.destroy())
      },
    } satisfies Scripted
  }
  const sometimes = await scriptedServer(cut(2))
  expect(await keysOf(sometimes.client().family('f').objects('o').all())).toHaveLength(6)
  cuts = 0
  const always = await scriptedServer(cut(Number.POSITIVE_INFINITY))
  const failure = await failureOf(keysOf(always.client({ retries: 3 }).family('f').objects('o').all()))
  expect(failure).toMatchObject({ errorName: 'NetworkFailure' })
  expect(cuts).toBe(4)
})

const echo = ({ headers }: Asked) => ({ 'x-request-id': String(headers['x-request-id']) })

it('the answer to another request is not taken for the own one', async () => {
  let other: Scripted = {}
  const { client } = await scriptedServer((asked) => {
    const own = { ...pages(asked), headers: echo(asked) }
    // The second request gets the answer to the first one, once.
    if (asked.number === 2) return other
    other = own
    return own
  })
  expect(await keysOf(client().family('f').objects('o').all())).toEqual(['1', '2', '3', '4', '5', '6'])
  const { client: stuck } = await scriptedServer((asked) => ({
    ...pages(asked),
    headers: { 'x-request-id': 'octavo-someone-1' },
  }))
  const failure = await failureOf(keysOf(stuck({ retries: 1 }).family('f').objects('o').all()))
  expect(failure).toMatchObject({ errorName: 'MisdirectedAnswer' })
})

it('a proxy that replaces request ids is not treated as a fault', async () => {
  const { client } = await scriptedServer((asked) => ({
    ...pages(asked),
    headers: { 'x-request-id': `proxy-${asked.number}` },
  }))
  expect(await keysOf(client().family('f').objects('o').all())).toHaveLength(6)
})

it('a snapshot walk that ends with another number of objects than it has is an error', async () => {
  const counted = (asked: Asked) => ({ body: { ...(pages(asked).body as object), totalCount: '7' } })
  const { client } = await scriptedServer(counted)
  const objects = client().family('f').objects('o')
  const failure = await failureOf(keysOf(objects.all({ snapshot: true })))
  expect(failure).toMatchObject({ errorName: 'IncompleteWalk', parameters: { expected: '7', received: 6 } })
  // In default mode the count may change during the walk.
  expect(await keysOf(objects.all())).toHaveLength(6)
  const { client: bound } = await scriptedServer((asked) => ({
    body: { ...counted(asked).body, totalCountIsLowerBound: true },
  }))
  expect(await keysOf(bound().family('f').objects('o').all({ snapshot: true }))).toHaveLength(6)
})

it.for(['version', 'totalCount'])(
  'a page with another %s than the first is from another snapshot',
  async (fact) => {
    const { client } = await scriptedServer((asked) => ({
      body: { ...(pages(asked).body as object), [fact]: asked.pageToken === 't3' ? '8' : '6' },
    }))
    const failure = await failureOf(keysOf(client().family('f').objects('o').all({ snapshot: true })))
    expect(failure).toMatchObject({ errorName: 'InvalidPage', parameters: { problem: 'snapshotChanged' } })
  },
)

it('what looks like a token inside an object is not followed', async () => {
  const trap = 'x'.repeat(10) + '"nextPageToken":"trap"'
  const { client, asked } = await scriptedServer(({ pageToken }) =>
    pageToken === undefined
      ? { body: { nextPageToken: 't2', data: [{ primaryKey: '1', nextPageToken: 'trap', text: trap }] } }
      : { body: { data: [{ primaryKey: pageToken }] } },
  )
  expect(await keysOf(client().family('f').objects('o').all())).toEqual(['1', 't2'])
  // The wrongly guessed page was requested in vain, and its answer was discarded.
  expect(asked.map(({ pageToken }) => pageToken)).toContain('t2')
})
