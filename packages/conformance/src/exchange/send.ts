import { setTimeout as sleep } from 'node:timers/promises'
import { headers as headerNames } from '@octavo/protocol'
import { jsonOf, withoutCredentials, type Exchange, type Sent } from './exchange.ts'

export interface Server {
  readonly url: string
  readonly token: string
}

export interface SendOptions {
  /** A different bearer token; null sends none. */
  readonly token?: string | null
  /** A different URL of the same deployment. */
  readonly url?: string
}

export type Send = (request: Sent, options?: SendOptions) => Promise<Exchange>

export class ServerUnreachable extends Error {}

const mostTries = 6
const longestWaitSeconds = 30

/** Sends requests one by one; retries when a busy server says so (P106). */
export const sendTo =
  (server: Server): Send =>
  async (request, { token = server.token, url = server.url } = {}) => {
    const headers = {
      ...(token === null ? {} : { [headerNames.authorization]: `Bearer ${token}` }),
      ...request.headers,
    }
    const sent: Sent = { ...request, headers: withoutCredentials(headers) }
    for (let tries = 1; ; tries += 1) {
      const response = await fetchFrom(url, request, headers)
      const text = await response.text()
      const exchange = { sent, status: response.status, headers: response.headers, text, body: jsonOf(text) }
      const wait = Number(response.headers.get(headerNames.retryAfter) ?? Number.NaN)
      const isBusy = (response.status === 429 || response.status === 503) && wait <= longestWaitSeconds
      if (!isBusy || tries === mostTries) return exchange
      await sleep(wait * 1_000)
    }
  }

async function fetchFrom(url: string, request: Sent, headers: Record<string, string>): Promise<Response> {
  const { method, path, body } = request
  try {
    return await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new ServerUnreachable(`${url} does not answer (${cause}): check --url and that the server runs.`)
  }
}
