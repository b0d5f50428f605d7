// HTTP to the service, as all commands use it.
import type { CommandContext } from '../command-context.ts'
import type { Settings } from '../settings/read-settings.ts'
import { readRefusal } from './read-refusal.ts'
import { retrying, type RetryTimes } from './retrying.ts'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'

interface ServiceRequest {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Made by `requestPath`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is; `headers` say what it is. A function is called again for each attempt. */
  readonly body?: RequestBody | (() => RequestBody)
  /**
   * For how long 429, 503 and a lost connection are tried again. Default 30.
   * 0 is once: for a request that must not be repeated, or a caller with a plan of its own.
   */
  readonly retrySeconds?: number
  /** Default: the Ctrl-C of the command. */
  readonly signal?: AbortSignal
}

type RequestBody = string | Uint8Array | ReadableStream<Uint8Array>

export interface Connection {
  readonly url: string
  /** The response if it is a success, not yet read. Throws ServiceRefused or ServiceUnreachable otherwise. */
  readonly send: (request: ServiceRequest) => Promise<Response>
  /** The JSON of the answer; undefined if there is none. The shape is the caller's claim. */
  readonly json: <Answer>(request: ServiceRequest) => Promise<Answer>
  /** Every item of a paged GET, page by page. */
  readonly items: <Item>(request: ServiceRequest) => AsyncGenerator<Item, void, undefined>
  /** The same as one list: for what is known to be short. */
  readonly allItems: <Item>(request: ServiceRequest) => Promise<readonly Item[]>
}

type Parts = Pick<CommandContext, 'fetch' | 'stopAsked'> & { readonly retryTimes?: RetryTimes }

const defaultRetrySeconds = 30

export function openConnection({ url, token }: Pick<Settings, 'url' | 'token'>, parts: Parts): Connection {
  const times: RetryTimes = parts.retryTimes ?? { now: () => performance.now() }

  const sendOnce = async (request: ServiceRequest, signal: AbortSignal): Promise<Response> => {
    let response: Response
    try {
      response = await parts.fetch(urlOf(url, request), initOf(request, token, signal))
    } catch (error) {
      if (signal.aborted) throw error
      throw new ServiceUnreachable(url, error)
    }
    if (!response.ok) throw await readRefusal(response)
    return response
  }

  const withRetries = <Answer>(request: ServiceRequest, read: (response: Response) => Promise<Answer>) => {
    const signal = request.signal ?? parts.stopAsked
    const seconds = request.retrySeconds ?? defaultRetrySeconds
    return retrying({ seconds, signal, times }, async () => read(await sendOnce(request, signal)))
  }

  const json = <Answer>(request: ServiceRequest): Promise<Answer> =>
    withRetries(request, (response) => bodyOf<Answer>(url, response))

  async function* items<Item>(request: ServiceRequest): AsyncGenerator<Item, void, undefined> {
    let pageToken: string | undefined
    do {
      const query = { ...request.query, pageToken }
      const page: Page<Item> = await json<Page<Item>>({ ...request, query })
      yield* page.data
      pageToken = page.nextPageToken
    } while (pageToken !== undefined)
  }

  return {
    url,
    send: (request) => withRetries(request, async (response) => response),
    json,
    items,
    allItems: async <Item>(request: ServiceRequest) => {
      const all: Item[] = []
      for await (const item of items<Item>(request)) all.push(item)
      return all
    },
  }
}

interface Page<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
}

function urlOf(base: string, { path, query = {} }: ServiceRequest): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? `${base}${path}` : `${base}${path}?${new URLSearchParams(given).toString()}`
}

function initOf(
  { method = 'GET', headers, json, body }: ServiceRequest,
  token: string,
  signal: AbortSignal,
): RequestInit {
  const content = json === undefined ? (typeof body === 'function' ? body() : body) : JSON.stringify(json)
  return {
    method,
    signal,
    // A redirect would send the token to somewhere else than the person said.
    redirect: 'error',
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
    // Node asks for it with a stream: the answer does not begin before the body has ended.
    ...(content instanceof ReadableStream && { duplex: 'half' }),
  }
}

/** A body that is cut off is a lost connection; one that is no JSON comes from somebody else. */
async function bodyOf<Answer>(url: string, response: Response): Promise<Answer> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw new ServiceUnreachable(url, error)
  }
  try {
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  } catch {
    throw new ServiceRefused({
      status: response.status,
      errorName: '',
      parameters: {},
      message: `The answer of ${response.url} is not JSON, so it is not from Octavo: check the url. It began: ${text.slice(0, 80)}`,
    })
  }
}
