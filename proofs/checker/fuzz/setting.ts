// The service with a type that has a property of every kind, and tokens for what can be asked with them.
import { setTimeout as sleep } from 'node:timers/promises'
import { withCluster } from '../../harness/with-store.ts'
import { startService, type LogLine, type ServiceProcess } from '../../harness/service-process.ts'
import { checkerToken } from '../checker-token.ts'
import { requestInit } from '../request-init.ts'
import type { Known } from './values.ts'

export interface Setting {
  readonly service: ServiceProcess
  readonly token: string
  readonly known: Known
  readonly ask: Ask
}

type Ask = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object | string) => Promise<T>

/** No limit is reached but those of what is asked, and every route is there. */
const options = {
  OCTAVO_OIDC_ISSUER: 'http://127.0.0.1:9',
  OCTAVO_OIDC_AUDIENCE: 'x',
  OCTAVO_OAUTH_REDIRECT_URIS: 'http://localhost:9/cb',
  OCTAVO_OAUTH_PUBLIC_URL: 'http://localhost:9',
  OCTAVO_SUBSCRIPTIONS: 'true',
  OCTAVO_AGGREGATE_OBJECTS: '500',
  OCTAVO_QUEUE_MILLISECONDS: '20000',
}

export async function withSetting(
  onLog: (line: LogLine) => void,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  await withCluster({}, async (cluster) => {
    const token = await checkerToken(cluster.url, 'api:tokens-admin')
    const service = await startService({ databaseUrl: cluster.url, environment: options, onLog })
    try {
      const ask = asking(service.url, token)
      await work({ service, token, ask, known: await fill(ask) })
    } finally {
      await service.stop()
    }
  })
}

/** What must not be refused; while the service is busy it is asked again. */
function asking(url: string, token: string): Ask {
  return async (method, path, body) => {
    for (;;) {
      const response = await fetch(url + path, requestInit(token, { method, body }))
      const text = await response.text()
      if (response.ok) return JSON.parse(text) as never
      if (response.status !== 503 && response.status !== 429)
        throw new Error(`${method} ${path}: ${response.status} ${text}`)
      await sleep(200)
    }
  }
}

async function fill(ask: Ask): Promise<Known> {
  const { rid } = await ask<{ readonly rid: string }>('PUT', '/manage/v1/ontologies/one', {
    apiName: 'one',
    displayName: 'One',
    apiFamilies: ['one'],
  })
  const managed = `/manage/v1/ontologies/${rid}/objectTypes/item`
  await ask('PUT', managed, definition)
  const lines = Array.from({ length: 300 }, (_, i) => JSON.stringify({ type: 'put', properties: item(i) }))
  await ask('POST', `${managed}/batches`, lines.join('\n'))
  const typed = '/api/one/v1/objects/types/item'
  const query = { type: 'empty' }
  const { nextPageToken } = await ask<{ readonly nextPageToken: string }>('POST', `${typed}/search`, {
    query,
    snapshot: true,
    pageSize: 10,
  })
  const { snapshotToken } = await ask<{ readonly snapshotToken: string }>('POST', '/api/one/v1/snapshots', {})
  const { data } = await ask<{ readonly data: readonly { readonly pageToken: string }[] }>(
    'POST',
    `${typed}/partitions`,
    { query, partitionCount: 2 },
  )
  return { rid, tokens: [nextPageToken, snapshotToken, ...data.map(({ pageToken }) => pageToken)] }
}

const item = (i: number): object => ({
  id: `k${i}`,
  n: i,
  l: String(i),
  d: i / 3,
  m: `${i}.5`,
  day: '2020-01-01',
  at: '2020-01-01T00:00:00Z',
  b: i % 2 === 0,
  cat: 'abc'[i % 3],
  tags: ['x'],
  st: { x: 'a', y: i },
  peer: `k${i % 7}`,
})

const searchable = { searchable: true }
const definition = {
  apiName: 'item',
  displayName: 'Item',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    n: { type: 'integer', ...searchable, sortable: true },
    l: { type: 'long', ...searchable },
    d: { type: 'double', ...searchable, sortable: true },
    m: { type: 'decimal', ...searchable },
    day: { type: 'date', ...searchable },
    at: { type: 'timestamp', ...searchable },
    b: { type: 'boolean', ...searchable },
    cat: { type: 'string', ...searchable, sortable: true, counted: true },
    tags: { type: { array: 'string' }, ...searchable },
    st: { type: { struct: { x: { type: 'string' }, y: { type: 'integer' } } }, ...searchable },
    peer: { type: 'string', ...searchable },
  },
  links: { peer: { objectType: 'item', foreignKeyProperty: 'peer', reverse: 'peers' } },
  orders: [
    {
      fields: [
        { field: 'cat', direction: 'asc' },
        { field: 'n', direction: 'desc' },
      ],
    },
  ],
}
