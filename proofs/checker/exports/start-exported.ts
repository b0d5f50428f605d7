// A service with a type, behind a proxy that makes its pages slow, so that there is time to kill an export; and the command.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase, openAccessManagement } from '@octavo/service'
import { builtProgram } from '../../../packages/octavo/bundle/built-program.ts'
import { startService } from '../../harness/service-process.ts'

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

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export interface Ended {
  /** Null if a signal has ended it. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export async function startExported(
  home: string,
): Promise<Exported & { readonly stop: () => Promise<void> }> {
  const cluster = await startCluster()
  await migrateDatabase(cluster.url, () => {})
  const access = openAccessManagement(cluster.url)
  const { accessToken } = await access.createToken({
    subject: 'checker',
    scopes: ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin'],
  })
  await access.close()
  const service = await startService({ databaseUrl: cluster.url })
  const proxy = await startProxy(service.url)
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    OCTAVO_URL: proxy.url,
    OCTAVO_TOKEN: accessToken,
    OCTAVO_ONTOLOGY: 'checked',
  }
  return {
    slowDown: proxy.slowDown,
    ask: async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': path.endsWith('/batches') ? 'application/x-ndjson' : 'application/json',
      }
      // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- never GET
      const response = await fetch(service.url + path, { method, headers, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Readonly<Record<string, unknown>>
    },
    runCommand: (folder, words) => {
      const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let [out, err] = ['', '']
      child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
      child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
      const ended = once(child, 'close').then(([code]: (number | null)[]) => ({
        code: code ?? null,
        out,
        err,
      }))
      return { child, ended }
    },
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
