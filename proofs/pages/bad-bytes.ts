// Bytes that are hardly HTTP, or not HTTP at all.
import { randomBytes } from 'node:crypto'
import type { Random } from '@octavo/model'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'

export function badBytes(random: Random, target: Collection): Buffer {
  const path = `/api/v1/ontologies/${target.ontologyRid}/objects/${target.objectType}`
  const head = random.pick([
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
    `POST /api/${target.apiFamily}/v1/objects/types/${target.objectType}/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
    `GET ${path} HTTP/1.0\r\n`,
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n',
  ])
  const broken = random.pick([
    'Content-Length: -1\r\n\r\n',
    'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nabcde',
    'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffffff\r\n',
    'Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n1\r\n{\r\nxyz\r\n',
    'Transfer-Encoding: gzip\r\n\r\n',
    'X: \u0000\r\n\r\n',
    ': empty\r\n\r\n',
    ' folded: x\r\n\r\n',
    'Bad Name: x\r\n\r\n',
    `X-Long: ${'a'.repeat(random.integer(1, 100_000))}\r\n\r\n`,
    `${'X: y\r\n'.repeat(random.integer(1, 3_000))}\r\n`,
    'Upgrade: websocket\r\nConnection: upgrade\r\n\r\n',
    'Expect: 100-continue\r\nContent-Length: 0\r\n\r\n',
    'Expect: something\r\n\r\n',
    '\r\n',
  ])
  const bytes = Buffer.from(head + broken, 'latin1')
  if (random.chance(0.2)) return Buffer.concat([randomBytes(random.integer(1, 300)), Buffer.from('\r\n\r\n')])
  if (random.chance(0.5)) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
  return bytes
}
