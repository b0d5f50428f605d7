import { once } from 'node:events'
import { request as askOverHttp, type IncomingMessage } from 'node:http'
import { request as askOverHttps } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
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
    if (method === 'GET' && body !== undefined) return await getWithBody(urlOf(url, path), headers, body)
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

/** fetch refuses to send this. */
async function getWithBody(url: string, headers: Record<string, string>, body: string): Promise<Response> {
  const ask = url.startsWith('https:') ? askOverHttps : askOverHttp
  const length = String(Buffer.byteLength(body))
  const request = ask(url, { headers: { ...headers, 'content-length': length }, agent: false }).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const received = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Response(await textOf(response), { status: response.statusCode ?? 0, headers: received })
}
