// The HTTP connection to the service that all commands use.
import type { CommandContext } from '../base/command-context.ts'
import type { Settings } from '../settings/read-settings.ts'
import { explainNoAnswer } from './explain-no-answer.ts'
import { explainedToStranger } from './explained-to-stranger.ts'
import { readRefusal } from './read-refusal.ts'
import { retrying, type RetryTimes } from './retrying.ts'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'
import { sayingThatItWaits } from './say-that-it-waits.ts'

interface ServiceRequest {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Built with `requestPath`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: object
  /** Sent unchanged; `headers` give its media type. A function is called again for each attempt. */
  readonly body?: RequestBody | (() => RequestBody)
  /**
   * For how long the request is retried after 429, 503 and a lost connection. Default 30. 0 means no retry: for a request
   * that must not be repeated, or a caller that does its own retries.
   */
  readonly retrySeconds?: number
  /** The default is aborted by Ctrl-C. */
  readonly signal?: AbortSignal
}

type RequestBody = string | Uint8Array | ReadableStream<Uint8Array>

export interface Connection {
  readonly url: string
  /** Resolves with a successful response, its body not yet read. Throws ServiceRefused or ServiceUnreachable otherwise. */
  readonly send: (request: ServiceRequest) => Promise<Response>
  /** The JSON of the answer; undefined if it has no body. The type is not checked: the caller asserts it. */
  readonly json: <Answer>(request: ServiceRequest) => Promise<Answer>
  /** Every item of a list, fetched page by page: the page token goes into the body if there is one, else into the query. */
  readonly items: <Item>(request: ServiceRequest) => AsyncGenerator<Item, void, undefined>
  /** All items as one list, for lists that are known to be short. */
  readonly allItems: <Item>(request: ServiceRequest) => Promise<readonly Item[]>
}

type ConnectionContext = Pick<CommandContext, 'fetch' | 'stopAsked'> &
  Partial<Pick<CommandContext, 'output'>> & { readonly retryTimes?: RetryTimes }

const defaultRetrySeconds = 30

export function openConnection(
  { url, token }: Pick<Settings, 'url' | 'token'>,
  context: ConnectionContext,
): Connection {
  const times: RetryTimes = context.retryTimes ?? { now: () => performance.now() }

  let isKnown = false
  const sendOnce = async (request: ServiceRequest, signal: AbortSignal): Promise<Response> => {
    let response: Response
    try {
      response = await context.fetch(urlOf(url, request), initOf(request, token, signal))
    } catch (error) {
      if (signal.aborted) throw error
      throw await explainNoAnswer(url, error)
    }
    const refused = response.ok ? undefined : await readRefusal(response)
    // Whatever else is refused is refused to a caller whose token was accepted.
    isKnown ||= refused === undefined || refused.status === 403
    if (refused !== undefined) throw isKnown ? refused : explainedToStranger(refused, url)
    return response
  }

  const withRetries = <Answer>(request: ServiceRequest, read: (response: Response) => Promise<Answer>) => {
    const signal = request.signal ?? context.stopAsked
    const seconds = request.retrySeconds ?? defaultRetrySeconds
    const attempt = async (): Promise<Answer> => read(await sendOnce(request, signal))
    if (context.output === undefined) return retrying({ seconds, signal, times }, attempt)
    return sayingThatItWaits(context.output, (onPause) =>
      retrying({ seconds, signal, times, onPause }, attempt),
    )
  }

  const json = <Answer>(request: ServiceRequest): Promise<Answer> =>
    withRetries(request, (response) => bodyOf<Answer>(url, response))

  async function* items<Item>(request: ServiceRequest): AsyncGenerator<Item, void, undefined> {
    let pageToken: string | undefined
    do {
      const asked =
        request.json === undefined
          ? { query: { ...request.query, pageToken } }
          : { json: { ...request.json, pageToken } }
      const page: Page<Item> = await json<Page<Item>>({ ...request, ...asked })
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
    // Following a redirect would send the token to a host that the user did not name.
    redirect: 'error',
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
    // Node requires this for a stream: the response does not start before the request body has ended.
    ...(content instanceof ReadableStream && { duplex: 'half' }),
  }
}

/** A truncated body is a lost connection; a body that is not JSON is not from the service. */
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
      message: `${response.url} did not answer with JSON, so it is not Octavo: check the url. The answer began: ${text.slice(0, 80)}`,
    })
  }
}
