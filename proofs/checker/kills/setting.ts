// The service, its PostgreSQL and another database for copies, and the command. All of them can be killed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@octavo/dev-database'
import { Client } from 'pg'
import { withCluster } from '../../harness/with-store.ts'
import { startService } from '../../harness/service-process.ts'
import { checkerToken } from '../checker-token.ts'
import { requestInit } from '../request-init.ts'
import { startOctavoCommand, type Running } from '../start-octavo-command.ts'

export interface Setting {
  readonly cluster: Cluster
  readonly rid: string
  readonly copyUrl: string
  /** The JSON of an answer; asks again while the service or its database is not there. */
  readonly ask: Ask
  readonly killService: () => Promise<void>
  readonly runCommand: (words: readonly string[], folder: string, more?: Environment) => Running
}

type Environment = Readonly<Record<string, string>>
export type Ask = <T>(
  method: 'POST' | 'PUT',
  path: string,
  body: object | string,
  headers?: Environment,
) => Promise<T>

export async function withSetting(home: string, work: (setting: Setting) => Promise<void>): Promise<void> {
  await withCluster({}, async (cluster) => {
    await run(cluster.url, 'create database copy')
    const token = await checkerToken(cluster.url)
    const service = await startService({ databaseUrl: cluster.url })
    const { url } = service
    try {
      const ask = asking(url, token)
      const { rid } = await ask<{ readonly rid: string }>('PUT', '/manage/v1/ontologies/checked', {
        apiName: 'checked',
        displayName: 'Checked',
        apiFamilies: ['checked'],
      })
      const environment = {
        PATH: '',
        HOME: home,
        OCTAVO_URL: url,
        OCTAVO_TOKEN: token,
        OCTAVO_ONTOLOGY: 'checked',
      }
      await work({
        cluster,
        rid,
        ask,
        copyUrl: cluster.databaseUrl('copy'),
        killService: async () => {
          await service.kill()
          await service.start()
        },
        runCommand: (words, folder, more = {}) =>
          startOctavoCommand(words, { folder, environment: { ...environment, ...more } }),
      })
    } finally {
      await service.stop()
    }
  })
}

async function run(databaseUrl: string, text: string): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const patienceMs = 120_000
const isWorthAnother = (status: number): boolean => status === 408 || status === 429 || status >= 500

function asking(url: string, token: string): Ask {
  return async (method, path, body, headers) => {
    const request = requestInit(token, { method, body, headers })
    for (const since = Date.now(); ; await sleep(200)) {
      let problem: unknown
      try {
        const response = await fetch(url + path, request)
        const text = await response.text()
        if (response.ok) return JSON.parse(text) as never
        problem = `${response.status} ${text}`
        if (!isWorthAnother(response.status)) throw new Refused(`${method} ${path}: ${String(problem)}`)
      } catch (error) {
        if (error instanceof Refused) throw error
        problem ??= error
      }
      if (Date.now() - since > patienceMs) throw new Error(`${method} ${path}: ${String(problem)}`)
    }
  }
}

class Refused extends Error {}
