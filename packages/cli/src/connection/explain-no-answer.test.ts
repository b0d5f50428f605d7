import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConnection } from './connection.ts'
import { readHealth } from './read-health.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-scheme-'))
const servers: Server[] = []
const ports = { http: 0, https: 0 }

const listen = async (server: Server): Promise<number> => {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

beforeAll(async () => {
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=x -keyout ${key} -out ${cert}`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  ports.http = await listen(createServer((_, response) => response.end('{}')))
  ports.https = await listen(createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }))
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

const parts = { fetch: globalThis.fetch, stopAsked: new AbortController().signal }

it('https where HTTP is spoken is said at once', async () => {
  const url = `https://127.0.0.1:${ports.http}`
  const sentence = `The service speaks HTTP and not HTTPS here: use http://127.0.0.1:${ports.http} instead of ${url}.`
  await expect(openConnection({ url, token: 't' }, parts).json({ path: '/a' })).rejects.toThrow(sentence)
  await expect(readHealth(url, parts)).rejects.toThrow(sentence)
})

it('http where TLS is spoken is said at once', async () => {
  const url = `http://127.0.0.1:${ports.https}`
  const sentence = `The service speaks HTTPS and not HTTP here: use https://127.0.0.1:${ports.https} instead of ${url}.`
  await expect(openConnection({ url, token: 't' }, parts).json({ path: '/a' })).rejects.toThrow(sentence)
})

it('a certificate that is not trusted is named, and not taken for the wrong scheme', async () => {
  const url = `https://127.0.0.1:${ports.https}`
  await expect(readHealth(url, parts)).rejects.toThrow(/^No answer from .*self-signed certificate/)
})

it('says in plain words that nobody listens', async () => {
  const server = createServer()
  const url = `http://127.0.0.1:${await listen(server)}`
  server.close()
  await expect(readHealth(url, parts)).rejects.toThrow(
    `No answer from ${url} (connection refused): is the service running there? octavo serve starts one; --url or OCTAVO_URL says where it is.`,
  )
})
