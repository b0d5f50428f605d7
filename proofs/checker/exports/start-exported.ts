// A service with a type, behind a proxy that makes its pages slow, so that there is time to kill an export; and the command.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { startService } from '../../harness/service-process.ts'
import { checkerToken } from '../checker-token.ts'
import { startOctavoCommand, type Running } from '../start-octavo-command.ts'

export interface Exported {
  /** Asks the service itself. */
  readonly ask: (
    method: 'POST' | 'PUT',
    path: string,
    body: string,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** How many milliseconds each page waits. */
  readonly slowDown: (milliseconds: number) => void
  readonly runCommand: (folder: string, words: readonly string[]) => Running
}

export async function startExported(
  home: string,
): Promise<Exported & { readonly stop: () => Promise<void> }> {
  const cluster = await startCluster()
  await migrateDatabase(cluster.url, () => {})
  const token = await checkerToken(cluster.url)
  const service = await startService({ databaseUrl: cluster.url })
  const proxy = await startProxy(service.url)
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    OCTAVO_URL: proxy.url,
    OCTAVO_TOKEN: token,
    OCTAVO_ONTOLOGY: 'checked',
  }
  return {
    slowDown: proxy.slowDown,
    ask: async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': path.endsWith('/batches') ? 'application/x-ndjson' : 'application/json',
      }
      // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- never GET
      const response = await fetch(service.url + path, { method, headers, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Readonly<Record<string, unknown>>
    },
    runCommand: (folder, words) => startOctavoCommand(words, { folder, environment }),
    stop: async () => {
      proxy.stop()
      await service.stop()
      await cluster.stop()
    },
  }
}

async function startProxy(url: string) {
  let delay = 0
  const server = createServer((received, answer) => {
    const pass = async (): Promise<void> => {
      if (received.url?.endsWith('/search')) await sleep(delay)
      const sent = request(url + received.url, { method: received.method, headers: received.headers })
      sent.on('error', () => answer.destroy())
      sent.on('response', (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      received.pipe(sent)
    }
    void pass()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    slowDown: (milliseconds: number) => (delay = milliseconds),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
