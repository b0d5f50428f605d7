// Streams that are cut, broken or wrong: the client returns every object once, or fails.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  failureOf,
  keysOf,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../../test/support/scripted-server.ts'
import { addHashes, noHashes } from './content-hash.ts'

const count = 10
const pageSize = 3

/** With characters of several bytes, so that pieces end inside of them. */
const object = (i: number) => ({ primaryKey: `k${i}`, properties: { id: `k${i}`, text: 'ä😀\n,' } })
const objects = Array.from({ length: count }, (_, i) => object(i))
const keys = objects.map(({ primaryKey }) => primaryKey)
const checksum = addHashes(noHashes, objects)

const linesOf = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const endLine = (from: number) => ({
  type: 'end',
  objectCount: count - from,
  totalCount: String(count),
  version: '7',
  checksum,
})

/** The stream from this token on, as an honest server sends it. */
function streamFrom(pageToken: string | undefined, shown: readonly object[] = objects): string {
  const begin = Number(pageToken?.slice(1) ?? 0)
  let text = ''
  for (let from = begin; from < shown.length; from += pageSize) {
    text += linesOf(shown.slice(from, from + pageSize).map((each) => ({ type: 'object', object: each })))
    text +=
      from + pageSize < shown.length
        ? linesOf([{ type: 'page', nextPageToken: `t${from + pageSize}` }])
        : linesOf([endLine(begin)])
  }
  return text
}

const asStream = (body: string): Scripted => ({ headers: { 'content-type': 'application/x-ndjson' }, body })

/** Sends these bytes, then breaks the connection. */
const cutAfter = (bytes: Buffer): Scripted => ({
  instead: (reply: ServerResponse) => {
    reply.writeHead(200, { 'content-type': 'application/x-ndjson' })
    reply.write(bytes, () => setImmediate(() => reply.destroy()))
  },
})

const streamOf = async (answer: (asked: Asked) => Scripted, options: object = {}, client: object = {}) => {
  const server = await scriptedServer(answer)
  return { ...server, walk: server.client(client).family('f').objects('o').stream(options) }
}

it('P261: a stream returns its objects, in one answer', async () => {
  const { walk, asked } = await streamOf(({ pageToken }) => asStream(streamFrom(pageToken)), {
    query: { type: 'empty' },
    select: ['text'],
    orderBy: [{ field: 'id', direction: 'asc' }],
    pageSize,
  })
  expect(await keysOf(walk)).toEqual(keys)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.headers.accept).toBe('application/x-ndjson')
  expect(asked[0]?.body).toEqual({
    query: { type: 'empty' },
    pageSize,
    select: ['text'],
    orderBy: { fields: [{ field: 'id', direction: 'asc' }] },
  })
})

const whole = Buffer.from(streamFrom(undefined))
const everyCut = Array.from({ length: Math.ceil(whole.length / 13) }, (_, i) => i * 13)

it('P265: wherever a stream is cut off, it resumes, and every object comes once', async () => {
  for (const at of everyCut) {
    const { walk, asked } = await streamOf(({ number, pageToken }) =>
      number === 1 ? cutAfter(whole.subarray(0, at)) : asStream(streamFrom(pageToken)),
    )
    expect(await keysOf(walk)).toEqual(keys)
    expect(asked).toHaveLength(2)
  }
})

const withoutEnd = (pageToken: string | undefined) => streamFrom(pageToken).replace(/\{"type":"end".*\n/, '')

it('P265: a stream that ends properly, but without its last line, was cut off', async () => {
  const { walk, asked } = await streamOf(({ number, pageToken }) =>
    asStream(number < 4 ? withoutEnd(pageToken).slice(0, -number) : streamFrom(pageToken)),
  )
  expect(await keysOf(walk)).toEqual(keys)
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 't9', 't9', 't9'])
})

it('P265: one that never has its last line is an error, not the end', async () => {
  const { walk, asked } = await streamOf(
    ({ pageToken }) => asStream(withoutEnd(pageToken)),
    {},
    { retries: 2 },
  )
  expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'NetworkFailure' })
  expect(asked).toHaveLength(3)
})

it('lines are read however they arrive: byte by byte, or all at once', async () => {
  const { walk } = await streamOf(() => ({
    instead: (reply) => {
      reply.writeHead(200, { 'content-type': 'application/x-ndjson' })
      void (async () => {
        for (const [i, byte] of whole.entries()) {
          reply.write(Buffer.of(byte))
          if (i % 50 === 0) await sleep(1)
        }
        reply.end()
      })()
    },
  }))
  expect(await walk.toArray()).toEqual(objects)
})

const errorLine = (errorName: string, errorCode: string, parameters: object = {}) =>
  linesOf([{ type: 'error', errorName, errorCode, parameters, errorDescription: 'Do this.' }])
const firstPage =
  streamFrom(undefined)
    .split('\n')
    .slice(0, pageSize + 1)
    .join('\n') + '\n'

it('P262: an error that may pass is waited for, and the stream continues after its last page', async () => {
  const { walk, asked } = await streamOf(({ number, pageToken }) =>
    asStream(
      number === 1
        ? firstPage + errorLine('Overloaded', 'SERVICE_UNAVAILABLE', { retryAfterSeconds: 0 })
        : streamFrom(pageToken),
    ),
  )
  expect(await keysOf(walk)).toEqual(keys)
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 't3'])
})

it('P262: new credentials are asked for when those of a stream have ended', async () => {
  const refusals: boolean[] = []
  const token = ({ refused }: { readonly refused: boolean }) => {
    refusals.push(refused)
    return refused ? 'new' : 'old'
  }
  const { walk } = await streamOf(
    ({ headers, pageToken }) =>
      asStream(
        headers.authorization === 'Bearer new'
          ? streamFrom(pageToken)
          : firstPage + errorLine('Default:Unauthorized', 'UNAUTHORIZED'),
      ),
    {},
    { token },
  )
  expect(await keysOf(walk)).toEqual(keys)
  expect(refusals).toContain(true)
})

it('P262: any other error ends the walk with it', async () => {
  const { walk, asked } = await streamOf(() =>
    asStream(firstPage + errorLine('ApiFamilyNotFound', 'NOT_FOUND', { apiFamily: 'f' })),
  )
  expect(await failureOf(keysOf(walk))).toMatchObject({
    errorName: 'ApiFamilyNotFound',
    parameters: { apiFamily: 'f' },
  })
  expect(asked).toHaveLength(1)
})

it.for([
  ['an object is missing', streamFrom(undefined, objects.slice(1)).replace('"objects":9', '"objects":10')],
  [
    'the last line counts another number',
    streamFrom(undefined).replace('"objectCount":10', '"objectCount":11'),
  ],
  [
    'the snapshot has another number',
    streamFrom(undefined).replace('"totalCount":"10"', '"totalCount":"11"'),
  ],
  ['an object is another one', streamFrom(undefined, [...objects.slice(1), object(1)])],
] as const)('P261: it is noticed if %s', async ([, text]) => {
  const { walk } = await streamOf(() => asStream(text))
  expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'IncompleteWalk' })
})

it('P432: a line of a type that is not known ends the walk with an error', async () => {
  const line = linesOf([{ type: 'tombstone', primaryKey: 'k3' }])
  const { walk, asked } = await streamOf(() => asStream(line + streamFrom(undefined)))
  expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'UnreadableAnswer' })
  expect(asked).toHaveLength(1)
})

it('P261: the pieces of a stream that was cut are proved together', async () => {
  const wrong = [object(1), ...objects.slice(1)]
  const { walk } = await streamOf(({ number, pageToken }) =>
    number === 1
      ? cutAfter(Buffer.from(streamFrom(undefined, wrong)).subarray(0, 700))
      : asStream(streamFrom(pageToken)),
  )
  expect(await failureOf(keysOf(walk))).toMatchObject({
    errorName: 'IncompleteWalk',
    parameters: { received: 10 },
  })
})

it('P266: a line without records before it moves the walk on', async () => {
  const { walk, asked } = await streamOf(({ number, pageToken }) => {
    const nothing = linesOf([{ type: 'page', nextPageToken: 't0' }])
    return number === 1 ? cutAfter(Buffer.from(nothing)) : asStream(streamFrom(pageToken))
  })
  expect(await keysOf(walk)).toEqual(keys)
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 't0'])
})

it.for([{}, { nextPageToken: '' }, { nextPageToken: null }, { nextPageToken: 7 }])(
  'a line `page` with %o is not taken for the end',
  async (wrong) => {
    for (const before of ['', firstPage]) {
      const { walk } = await streamOf(() => asStream(before + linesOf([{ type: 'page', ...wrong }])))
      expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'InvalidPage' })
    }
  },
)

it('a line that is no JSON is not returned: the page is read again', async () => {
  const { walk } = await streamOf(({ number, pageToken }) =>
    asStream(number === 1 ? `${firstPage}<html>\n` : streamFrom(pageToken)),
  )
  expect(await keysOf(walk)).toEqual(keys)
})

it('a saved stream continues exactly where it was', async () => {
  const { walk, client, asked } = await streamOf(({ pageToken }) => asStream(streamFrom(pageToken)))
  const taken: string[] = []
  for await (const { primaryKey } of walk) if (taken.push(primaryKey) === 4) break
  expect(await keysOf(client().resume(walk.save()))).toEqual(keys.slice(4))
  expect(asked.at(-1)?.headers.accept).toBe('application/x-ndjson')
  expect(await keysOf(walk)).toEqual(keys.slice(4))
})

it('a stream that is left is closed, and one that is not read holds no more than what is read ahead', async () => {
  let closed = false
  const { walk } = await streamOf(() => ({
    instead: (reply) => {
      reply.on('close', () => (closed = true))
      reply.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(firstPage)
    },
  }))
  for await (const { primaryKey } of walk) {
    expect(primaryKey).toBe('k0')
    break
  }
  await expect.poll(() => closed).toBe(true)
})

it('a service without streams is named, and options are checked', async () => {
  const { walk, client, asked } = await streamOf(() => ({ body: { data: [] } }))
  const failure = await failureOf(keysOf(walk))
  expect(failure.message).toContain('older than streams')
  expect(asked).toHaveLength(1)
  const wrong = { snapshot: true } as object
  expect(() => client().family('f').objects('o').stream(wrong)).toThrow('always of one snapshot')
})

it('an error before the first line is one like any other', async () => {
  const { walk } = await streamOf(() => ({
    status: 404,
    body: { errorName: 'ApiFamilyNotFound', errorCode: 'NOT_FOUND', parameters: { apiFamily: 'f' } },
  }))
  expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'ApiFamilyNotFound', status: 404 })
})
