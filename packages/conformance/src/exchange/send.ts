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

/** Sends requests one by one. */
export const sendTo =
  (server: Server): Send =>
  async (request, { token = server.token, url = server.url } = {}) => {
    const headers = {
      ...(token === null ? {} : { [headerNames.authorization]: `Bearer ${token}` }),
      ...request.headers,
    }
    const sent: Sent = { ...request, headers: withoutCredentials(headers) }
    return whenNotBusy(async () => {
      const response = await fetchFrom(url, request, headers)
      const text = await response.text()
      return { sent, status: response.status, headers: response.headers, text, body: jsonOf(text) }
    })
  }

/** Tries again when a busy server says so (P106). */
export async function whenNotBusy<Answer extends Exchange | undefined>(
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await attempt()
    const wait = Number(answer?.headers.get(headerNames.retryAfter) ?? Number.NaN)
    const isBusy = (answer?.status === 429 || answer?.status === 503) && wait <= longestWaitSeconds
    if (!isBusy || tries === mostTries) return answer
    await sleep(wait * 1_000)
  }
}

export const urlOf = (url: string, path: string): string => url.replace(/\/+$/, '') + path

async function fetchFrom(url: string, request: Sent, headers: Record<string, string>): Promise<Response> {
  const { method, path, body } = request
  try {
    return await fetch(urlOf(url, path), {
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
