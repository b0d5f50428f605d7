// The service as a process, on its own PostgreSQL.
import { Client } from 'pg'
import { withCluster } from '../../harness/with-store.ts'
import { startService } from '../../harness/service-process.ts'
import { requestInit } from '../request-init.ts'

export interface Served {
  readonly url: string
  readonly databaseUrl: string
  /** Of the process. */
  readonly pid: number
}

type Options = Readonly<Record<string, string>>

/** Runs the service while the work runs. */
export const withService = <T>(options: Options, work: (served: Served) => Promise<T>): Promise<T> =>
  withDatabase((databaseUrl) => withProcess(databaseUrl, options, work))

export const withDatabase = <T>(work: (databaseUrl: string) => Promise<T>): Promise<T> =>
  withCluster({}, ({ url }) => work(url))

export async function withProcess<T>(
  databaseUrl: string,
  options: Options,
  work: (served: Served) => Promise<T>,
): Promise<T> {
  const service = await startService({
    databaseUrl,
    environment: { OCTAVO_SUBSCRIPTIONS: 'true', ...options },
  })
  try {
    return await work({ url: service.url, databaseUrl, pid: service.pid })
  } finally {
    // It would wait for clients that do not read.
    await service.kill()
  }
}

/** PostgreSQL computes its statistics now, not at some time or other. */
export async function analyse({ databaseUrl }: Served): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly path: string
  /** Sent as JSON, or as it is if it is a text. */
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Asks as one caller. */
export type Ask = (call: Call) => Promise<Answer>

export const asking =
  ({ url }: Served, token: string): Ask =>
  async ({ path, ...request }) => {
    const response = await fetch(url + path, requestInit(token, request))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

/** The JSON of an answer that must not be refused. */
export async function accepted<T>(ask: Ask, call: Call): Promise<T> {
  const { status, text } = await ask(call)
  if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as T
}
