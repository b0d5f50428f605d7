import { createHash } from 'node:crypto'
import { request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { answerCodings, type AnswerCoding } from '@octavo/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { publicRoute } from '../../../test/support/public-route.ts'
import type { Observation } from '../../observe/observation.ts'
import { httpServerOf } from '../../../test/support/http-server-of.ts'
import { releaseOnceRead } from './compress-answers.ts'
import { defaultListener } from '../listener-settings.ts'
import { describedAs } from '../openapi/described-as.ts'

const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

const jsonOf = (bytes: number): string =>
  JSON.stringify({ data: 'flight '.repeat(bytes).slice(0, bytes - 11) })

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A server whose paths say how long its answers are: not `fetch`, which would unpack them. */
async function serve(codings: readonly AnswerCoding[] = answerCodings) {
  const observations: Observation[] = []
  const released: number[] = []
  const json = 'application/json; charset=utf-8'
  const app = httpServerOf({
    corsOrigins: ['https://app.example.com'],
    observe: (observation) => observations.push(observation),
    listener: { ...defaultListener, codings },
    routes: [
      async (routes) => {
        const answer = (
          reply: { type: (type: string) => { send: (body: unknown) => unknown } },
          bytes: number,
        ) => reply.type(json).send(Buffer.from(jsonOf(bytes)))
        routes.get<{ Params: { bytes: string } }>('/json/:bytes', publicRoute('json'), (request, reply) =>
          answer(reply, Number(request.params.bytes)),
        )
        routes.get<{ Params: { bytes: string } }>(
          '/reused/:bytes',
          publicRoute('reused'),
          (request, reply) => {
            const body = Buffer.from(jsonOf(Number(request.params.bytes)))
            releaseOnceRead(reply.raw, () => released.push(body.fill('x').length))
            void reply.type(json).send(body)
            if (request.headers['x-leaves'] !== undefined) setImmediate(() => request.raw.destroy())
          },
        )
        routes.get('/text', publicRoute('text'), (_, reply) => reply.type('text/plain').send(jsonOf(9_000)))
        for (const mark of ['hasTag', 'hasSecret'] as const) {
          const described = publicRoute(mark).config?.described
          if (described === undefined) throw new Error('not described')
          routes.get(`/${mark}`, describedAs({ ...described, [mark]: true }), (_, reply) =>
            answer(reply, 9_000),
          )
        }
      },
    ],
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  const open = (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
    sendRequest({ port, path, method, headers, agent: false })
  const ask = async (path: string, accepts?: string, more: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      open(path, { ...(accepts !== undefined && { 'accept-encoding': accepts }), ...more }, method)
        .on('error', reject)
        .on('response', (response) => {
          buffer(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            reject,
          )
        })
        .end()
    })
  return { ask, open, observations, released }
}

const digestOf = (body: Buffer | string): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`

it.each(answerCodings)('P232: an answer in %s unpacks to what is sent without it', async (coding) => {
  const { ask, observations } = await serve()
  for (const bytes of [1_024, 20_000, 3_000_000]) {
    const { headers, body } = await ask(`/json/${bytes}`, coding)
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(body.length) })
    expect(body.length).toBeLessThan(bytes / 2)
    expect(unpack[coding](body).equals(Buffer.from(jsonOf(bytes)))).toBe(true)
    expect(observations).toContainEqual({
      kind: 'answer-compressed',
      coding,
      bytes,
      compressedBytes: body.length,
    })
  }
})

it('P232: a request that does not accept it gets the answer as it is', async () => {
  const { ask } = await serve()
  for (const accepts of [undefined, '', 'identity', 'deflate', 'gzip;q=0']) {
    const { headers, body } = await ask('/json/20000', accepts)
    expect(headers['content-encoding'], accepts).toBeUndefined()
    expect(body.toString()).toBe(jsonOf(20_000))
  }
})

it('P234: a small answer is sent as it is, unless the request refuses that', async () => {
  const { ask } = await serve()
  expect((await ask('/json/1023', 'gzip')).headers['content-encoding']).toBeUndefined()
  expect((await ask('/json/1024', 'gzip')).headers['content-encoding']).toBe('gzip')
  const { headers, body } = await ask('/json/30', 'gzip, identity;q=0')
  expect(headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(body).toString()).toBe(jsonOf(30))
  const nothingElse = await ask('/json/9000', 'deflate, identity;q=0')
  expect([nothingElse.status, nothingElse.headers['content-encoding']]).toEqual([200, undefined])
})

it.each([
  ['/hasTag', 'Origin, authorization'],
  ['/hasSecret', 'Origin'],
  ['/text', 'Origin'],
])('P234, P235: %s is never compressed, and does not vary with the coding', async (path, vary) => {
  const { ask } = await serve()
  const { headers, body } = await ask(path, 'gzip, identity;q=0')
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, vary])
  expect(body.toString()).toBe(jsonOf(9_000))
})

it('P234: while two answers are being compressed, others are sent as they are, at once', async () => {
  const { ask, observations } = await serve()
  const bytes = 8_000_000
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(`/json/${bytes}`, 'gzip')))
  const packed = answers.filter(({ headers }) => headers['content-encoding'] === 'gzip')
  expect(packed.length).toBeGreaterThanOrEqual(1)
  expect(packed.length).toBeLessThan(8)
  const skipped = observations.filter(({ kind }) => kind === 'compression-skipped')
  expect(skipped).toHaveLength(8 - packed.length)
  for (const { headers, body } of answers) {
    const whole = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    expect(whole.equals(Buffer.from(jsonOf(bytes)))).toBe(true)
  }
})

it('P234: for a client that has gone away nothing is compressed to the end', async () => {
  const { ask, open, observations, released } = await serve()
  for (let i = 0; i < 6; i += 1) {
    const leaving = open('/reused/8000000', { 'accept-encoding': 'gzip', 'x-leaves': '1' }).end()
    await new Promise((resolve) => leaving.on('error', resolve))
  }
  await sleep(500)
  expect(observations).toEqual([])
  // A thread may have been reading it.
  expect(released).toEqual([])
  expect((await ask('/json/2000', 'gzip')).headers['content-encoding']).toBe('gzip')
})

it.each(['gzip', 'zstd', 'br', 'identity'])(
  'the memory of a body in %s is reused once it has been read, and once only',
  async (coding) => {
    const { ask, released } = await serve()
    const sizes = [2_000, 500_000, 8_000_000]
    for (const bytes of sizes) {
      const { body } = await ask(`/reused/${bytes}`, coding)
      const whole = coding === 'identity' ? body : unpack[coding as AnswerCoding](body)
      expect(whole.equals(Buffer.from(jsonOf(bytes)))).toBe(true)
    }
    await expect.poll(() => released).toEqual(sizes)
  },
)

it('P235: an answer that may be compressed says that it depends on Accept-Encoding, whatever is sent', async () => {
  const { ask } = await serve()
  for (const path of ['/json/30', '/json/9000', '/json/none/such']) {
    for (const accepts of [undefined, 'gzip', 'identity']) {
      expect((await ask(path, accepts)).headers.vary, path).toBe('Origin, accept-encoding')
    }
  }
})

it('P236: the digest is of the content as it is sent, which is then not compressed', async () => {
  const { ask } = await serve()
  const found = async (wanted: string) => {
    const { headers, body } = await ask('/json/9000', 'zstd', { 'want-content-digest': wanted })
    return [headers['content-encoding'], headers['content-digest'] === digestOf(body)]
  }
  for (const wanted of ['sha-256=1', 'sha-256', 'sha-512=5, sha-256=10'])
    expect(await found(wanted), wanted).toEqual([undefined, true])
  for (const wanted of ['sha-512=1', 'sha-256=0', 'sha-256=11', 'sha-25', ''])
    expect(await found(wanted), wanted).toEqual(['zstd', false])
})

it('P238: zstd has a checksum and a window of at most 8 MiB, so that damage does not unpack', async () => {
  const { ask } = await serve()
  const { body } = await ask('/json/7500000', 'zstd')
  const descriptor = body[4] ?? 0
  expect(descriptor & 0b100).toBe(0b100)
  // Without a window descriptor, the window is the content, whose length the next four bytes say.
  const isSingle = (descriptor & 0b100000) !== 0
  const exponent = (body[5] ?? 0) >> 3
  expect(isSingle ? body.readUInt32LE(5) : 2 ** (10 + exponent)).toBeLessThanOrEqual(8 * 1024 * 1024)
  const damaged = Buffer.from(body)
  damaged.writeUInt8((damaged[damaged.length - 1] ?? 0) ^ 1, damaged.length - 1)
  expect(() => zstdDecompressSync(damaged)).toThrow()
})

it('P181, P232: HEAD has the headers of the compressed answer, and no body', async () => {
  const { ask } = await serve()
  const whole = await ask('/json/9000', 'br')
  const { status, headers, body } = await ask('/json/9000', 'br', {}, 'HEAD')
  expect([status, body.length]).toEqual([200, 0])
  for (const name of ['content-encoding', 'content-length', 'vary']) {
    expect(headers[name], name).toBe(whole.headers[name])
  }
})

it('a deployment may choose how answers are compressed, or that none is', async () => {
  const some = await serve(['gzip'])
  expect((await some.ask('/json/9000', 'zstd, br, gzip')).headers['content-encoding']).toBe('gzip')
  const none = await serve([])
  const { headers } = await none.ask('/json/9000', 'gzip, identity;q=0')
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Origin'])
})
