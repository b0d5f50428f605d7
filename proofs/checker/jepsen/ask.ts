// Asks one of the instances, and again until it gets an answer that says something.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chances.ts'
import { requestInit } from '../request-init.ts'
import type { Answer, Refusal } from './answers.ts'
import type { Findings } from './findings.ts'

export interface Caller {
  readonly token: string
  readonly groups: readonly string[]
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Sent as JSON, or as it is if it is a text. */
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Asking {
  readonly ask: <T>(caller: Caller, request: Request) => Promise<Answer<T>>
  /** The text of an answer that may break off; an answer that is not whole is as long as it got. */
  readonly read: (caller: Caller, request: Request) => Promise<Answer<string>>
}

/** An instance may be stopped, started, and wait for a database that recovers. */
const patienceMs = 180_000
const answerMs = 90_000
const isWorthAnother = (status: number): boolean => status === 408 || status === 429 || status >= 500

export function asking(
  urls: () => readonly string[],
  chance: Chance,
  { count, violation }: Findings,
): Asking {
  const send = ({ token }: Caller, { path, ...request }: Request): Promise<Response> =>
    fetch(chance.one(urls()) + path, {
      ...requestInit(token, request),
      signal: AbortSignal.timeout(answerMs),
    })

  async function answerOf<T>(
    caller: Caller,
    request: Request,
    take: (response: Response) => Promise<T>,
  ): Promise<Answer<T>> {
    for (const since = Date.now(); ;) {
      try {
        const response = await send(caller, request)
        if (response.ok) return { isDone: true, json: await take(response) }
        const { status } = response
        const refusal = (await response.json()) as Refusal
        const { errorName = 'no name' } = refusal
        count(`answer ${status} ${errorName}`)
        if (status === 500 && errorName !== 'ScanTimedOut')
          violation('an answer has the status 500', { path: request.path, body: request.body, refusal })
        const isPartDone = refusal.parameters?.pageToken !== undefined
        if (!isWorthAnother(status) || isPartDone || Date.now() - since > patienceMs)
          return { isDone: false, status, refusal }
      } catch {
        count('no answer')
        if (Date.now() - since > patienceMs) throw new Error(`no answer to ${request.method} ${request.path}`)
      }
      await sleep(150 + chance.below(200))
    }
  }
  return {
    ask: (caller, request) => answerOf(caller, request, jsonOrNothing as never),
    read: (caller, request) => answerOf(caller, request, textAsFarAsItGoes),
  }
}

/** The answer to a DELETE has no body. */
async function jsonOrNothing(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : response.json()
}

async function textAsFarAsItGoes(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
  } catch {
    return text
  }
  return text
}
