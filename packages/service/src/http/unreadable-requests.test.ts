// Requests that Node's parser or fastify would answer in a shape of their own, over a real socket.
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServiceError } from '../base/errors/service-error.ts'
import type { Observation } from '../observe/observation.ts'
import { publicRoute } from '../../test/support/public-route.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'

const reached = () => {
  throw new ServiceError('ObjectTypeNotFound', { objectType: 'reached' })
}

const observations: Observation[] = []
const app = httpServerOf({
  observe: (observation) => observations.push(observation),
  routes: [
    async (server) => {
      server.get('/get/:id', publicRoute('get'), reached)
      server.post('/post', publicRoute('post'), reached)
    },
  ],
})

let port: number

beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

interface RawAnswer {
  readonly status: number
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const send = (request: string | Buffer): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      expect(head).toMatch(/content-type: application\/json/i)
      expect(head).toMatch(/x-request-id: \S+/i)
      const { errorName, parameters, ...rest } = JSON.parse(body)
      expect(Object.keys(rest)).toEqual(['errorCode', 'errorInstanceId', 'errorDescription'])
      expect(observations).toContainEqual(expect.objectContaining({ errorInstanceId: rest.errorInstanceId }))
      resolve({ status: Number(head.split(' ')[1]), errorName, parameters })
    })
    socket.write(request)
  })

const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`
const post = (body: string, headers: string) =>
  `POST /post HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n${body}`

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', 'InvalidParameterValue', 400],
  ['another protocol', Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]), 'InvalidParameterValue', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'InvalidParameterValue', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n', 'InvalidParameterValue', 400],
  ['a header with a control character', get('/get/1', 'X-A: \x01\r\n'), 'InvalidParameterValue', 400],
  ['two lengths', post('{}', 'Content-Length: 2\r\nContent-Length: 3\r\n'), 'InvalidParameterValue', 400],
  [
    'a length beside chunks',
    post('0\r\n\r\n', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'),
    'InvalidParameterValue',
    400,
  ],
  [
    'chunks that are none',
    post('zz\r\n', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'),
    'InvalidParameterValue',
    400,
  ],
  ['no host', 'GET /get/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 'InvalidParameterValue', 400],
  ['an unknown method', 'BREW /get/1 HTTP/1.1\r\nHost: a\r\n\r\n', 'InvalidParameterValue', 400],
  ['a method of another world', get('/get/1').replace('GET', 'PROPFIND'), 'MethodNotAllowed', 405],
  ['a path of a star', get('*').replace('GET', 'OPTIONS'), 'PathNotFound', 404],
  ['a path that is not decodable', get('/get/%ff'), 'PathNotFound', 404],
  ['raw bytes in a path', Buffer.from(get('/get/\xff\xfe'), 'latin1'), 'InvalidParameterValue', 400],
  ['a whole URL for a path', get('http://a/get/1'), 'ObjectTypeNotFound', 404],
  ['an expectation that nobody has', get('/get/1', 'Expect: the-unexpected\r\n'), 'ObjectTypeNotFound', 404],
  ['an upgrade to what we do not speak', get('/get/1', 'Upgrade: h2c\r\n'), 'ObjectTypeNotFound', 404],
  ['HTTP/1.0 without a host', 'GET /get/1 HTTP/1.0\r\n\r\n', 'ObjectTypeNotFound', 404],
  ['no body and no length', post('', ''), 'ObjectTypeNotFound', 404],
  [
    'a media type that is none',
    post('{}', 'Content-Type: ;\r\nContent-Length: 2\r\n'),
    'Conjure:UnsupportedMediaType',
    415,
  ],
])('P102: %s is answered in the shape of every error', async (_, request, errorName, status) => {
  expect(await send(request)).toMatchObject({ errorName, status })
})

it('P111: headers of 32 KiB are read, more are not, and far more are not either', async () => {
  const around = get('/get/1', `X-A: \r\n`).split('\r\n').slice(1, -2).join('\r\n').length + 2
  const header = (bytes: number) => get('/get/1', `X-A: ${'x'.repeat(bytes - around)}\r\n`)
  expect(await send(header(32_768))).toMatchObject({ errorName: 'ObjectTypeNotFound' })
  const refused = {
    status: 413,
    errorName: 'RequestTooLarge',
    parameters: { limit: 'headerBytes', maximum: 32_768 },
  }
  expect(await send(header(32_769))).toEqual(refused)
  expect(await send(header(60_000))).toEqual(refused)
})

const path = (bytes: number) => get(`/get/${'x'.repeat(bytes - '/get/'.length)}`)

it('P111: a URL of 16 KiB is read, more is not, and far more is not either', async () => {
  expect(await send(path(16_384))).toMatchObject({ errorName: 'ObjectTypeNotFound' })
  const refused = {
    status: 413,
    errorName: 'RequestTooLarge',
    parameters: { limit: 'urlBytes', maximum: 16_384 },
  }
  expect(await send(path(16_385))).toEqual(refused)
  expect(await send(path(60_000))).toEqual(refused)
})
