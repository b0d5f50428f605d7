// The service, through its client where the client knows the endpoint, and through its public endpoints where not.
import { createClient, OctavoError, type Client } from '@octavo/client'
import { signOut, token } from '../sign-in/session.ts'
import { timingOf, type PageTiming } from './page-timing.ts'

let client: { readonly token: string; readonly client: Client } | undefined

/** One for each token: a page token belongs to its caller. */
export function octavo(): Client {
  const current = token.value ?? ''
  if (client?.token !== current) {
    client = { token: current, client: createClient({ url: location.origin, token: current }) }
  }
  return client.client
}

/** A client that tells of each page what the service took for it. */
export const octavoTimed = (onPage: (timing: PageTiming) => void): Client =>
  createClient({
    url: location.origin,
    token: token.value ?? '',
    retries: 3,
    fetch: async (...request) => {
      const answer = await fetch(...request)
      const timing = timingOf(answer.headers.get('server-timing'))
      if (timing !== undefined) onPage(timing)
      return answer
    },
  })

interface Refusal {
  readonly errorName?: string
  readonly errorDescription?: string
  readonly errorInstanceId?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A failure in the words of the service. */
export interface Failure {
  readonly name: string
  readonly sentence: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly instanceId: string | undefined
}

class RefusedRequest extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.sentence)
    this.failure = failure
  }
}

interface Sent extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

/** The service refuses at once what it has no room for, and says when to come back. */
async function send(path: string, init: Sent, tries = 6): Promise<Response> {
  const answer = await fetch(path, {
    ...init,
    cache: 'no-store',
    headers: { authorization: `Bearer ${token.value ?? ''}`, ...init.headers },
  })
  if (tries <= 1 || (answer.status !== 429 && answer.status !== 503)) return answer
  const seconds = Math.min(5, Number(answer.headers.get('retry-after')) || 1)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  return send(path, init, tries - 1)
}

export async function ask<Answer>(path: string, init: Sent = {}): Promise<Answer> {
  const answer = await send(path, init)
  const body = (await answer.json().catch(() => ({}))) as Refusal
  if (!answer.ok) {
    throw new RefusedRequest({
      name: body.errorName ?? `HTTP ${answer.status}`,
      sentence: body.errorDescription ?? `The service answered ${answer.status}.`,
      parameters: body.parameters ?? {},
      instanceId: body.errorInstanceId,
    })
  }
  return body as Answer
}

export const askWith = <Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

/** All items of a list of the service, page by page. */
export async function askAll<Item>(path: string): Promise<readonly Item[]> {
  const items: Item[] = []
  let pageToken: string | undefined
  do {
    const query = pageToken === undefined ? '' : `?${new URLSearchParams({ pageToken }).toString()}`
    const page = await ask<{ readonly data: readonly Item[]; readonly nextPageToken?: string }>(path + query)
    items.push(...page.data)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return items
}

/** Whatever was thrown, as the page shows it. A token that is not accepted any more leads back to the sign-in. */
export function failureOf(error: unknown): Failure {
  const failure = described(error)
  if (/Unauthorized/.test(failure.name))
    signOut('This token is not accepted. It may have been revoked, or not copied whole.')
  return failure
}

function described(error: unknown): Failure {
  if (error instanceof RefusedRequest) return error.failure
  if (error instanceof OctavoError) {
    return {
      name: error.errorName,
      sentence: error.message.replace(`${error.errorName}: `, ''),
      parameters: error.parameters as Readonly<Record<string, unknown>>,
      instanceId: error.errorInstanceId,
    }
  }
  const sentence =
    error instanceof TypeError ? 'The service could not be reached. Is it running?' : String(error)
  return { name: 'Failure', sentence, parameters: {}, instanceId: undefined }
}
