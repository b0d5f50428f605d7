import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createClient, type ClientOptions, type RetryNotice } from '../index.ts'
import { keysOf, numberedPages, scriptedServer, type Asked } from '../../test/support/scripted-server.ts'

const pages = numberedPages(3)
const pack = {
  identity: (text: string) => Buffer.from(text),
  gzip: (text: string) => gzipSync(text),
  br: (text: string) => brotliCompressSync(text),
  zstd: (text: string) => zstdCompressSync(text),
}
type Coding = keyof typeof pack
const codings = ['zstd', 'br', 'gzip'] as const
const every = ['1', '2', '3', '4', '5', '6']

const textOf = (asked: Asked): string => JSON.stringify(pages(asked).body)

const sent = (asked: Asked, { coding }: { readonly coding: Coding }) => ({
  instead: (reply: ServerResponse) => {
    reply
      .writeHead(200, {
        'content-type': 'application/json',
        ...(coding !== 'identity' && { 'content-encoding': coding }),
        'x-request-id': String(asked.headers['x-request-id']),
      })
      .end(pack[coding](textOf(asked)))
  },
})

const acceptedBy = async (options: Partial<ClientOptions>) => {
  const { client, asked, url } = await scriptedServer(pages)
  // The name leads elsewhere, the request to the test.
  const elsewhere: typeof fetch = (to, init) => fetch((to as string).replace(/^https?:\/\/[^/]+/, url), init)
  expect(
    await keysOf(
      client({ fetch: elsewhere, ...options })
        .family('f')
        .objects('o')
        .all(),
    ),
  ).toEqual(every)
  return asked[0]?.headers['accept-encoding']
}

it.for([
  [{ url: 'https://octavo.example.com' }, 'zstd, br, gzip'],
  [{ url: 'http://10.0.0.7:8080' }, 'zstd, br, gzip'],
  [{ url: 'https://octavo.example.com', compression: 'gzip' }, 'gzip'],
  [{ url: 'https://octavo.example.com', compression: 'none' }, 'identity'],
  [{ url: 'http://localhost:8080' }, 'identity'],
  [{ url: 'http://127.0.0.1:8080' }, 'identity'],
  [{ url: 'http://[::1]:8080' }, 'identity'],
  [{ url: 'http://localhost:8080', compression: 'zstd' }, 'zstd'],
] as const)('with %j it accepts %s', async ([options, expected]) => {
  expect(await acceptedBy(options)).toBe(expected)
})

it.for(codings)('P232: a walk of pages in %s is whole', async (coding) => {
  const { client, asked } = await scriptedServer((each) => sent(each, { coding }))
  expect(await keysOf(client({ compression: 'zstd' }).family('f').objects('o').all())).toEqual(every)
  expect(asked).toHaveLength(3)
})

/** As a `fetch` that unpacks only what it asked for itself. */
const unpacksNothing: typeof fetch = async (to, init) => {
  const response = await fetch(to, init)
  const coding = response.headers.get('content-encoding')
  if (coding === null) return response
  const text = await response.text()
  return new Response(new Uint8Array(pack[coding as Coding](text)), { headers: response.headers })
}

it('if fetch does not unpack an answer, it is asked for in another way, and so are all that follow', async () => {
  const { asked, url } = await scriptedServer((each) => {
    const accepts = String(each.headers['accept-encoding'])
    return sent(each, { coding: codings.find((coding) => accepts.includes(coding)) ?? 'identity' })
  })
  const retries: RetryNotice[] = []
  const client = createClient({
    url: 'http://octavo.example.com',
    token: 'secret-token',
    backoffMilliseconds: 0,
    fetch: (to, init) => unpacksNothing((to as string).replace('http://octavo.example.com', url), init),
    onRetry: (retry) => retries.push(retry),
  })
  expect(await keysOf(client.family('f').objects('o').all({ readAhead: 0 }))).toEqual(every)
  expect(asked.map(({ headers }) => headers['accept-encoding'])).toEqual([
    'zstd, br, gzip',
    'gzip, deflate',
    'identity',
    'identity',
    'identity',
  ])
  expect(retries.map(({ cause }) => cause.errorName)).toEqual(['UnreadableAnswer', 'UnreadableAnswer'])
})
