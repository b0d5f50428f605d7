import type { CommandContext } from '../base/command-context.ts'
import { explainNoAnswer } from './explain-no-answer.ts'

export interface Health {
  readonly ready: boolean
  /** Why the service is not ready, one sentence each. */
  readonly reasons: readonly string[]
  readonly version?: string
  readonly milliseconds: number
}

type Parts = Pick<CommandContext, 'fetch' | 'stopAsked'>

/** Sent without a token and without retries, because the current state is wanted. */
export async function readHealth(url: string, { fetch, stopAsked }: Parts): Promise<Health> {
  const read = async (path: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    try {
      const response = await fetch(`${url}${path}`, { signal: stopAsked, redirect: 'error' })
      return { status: response.status, body: await response.json().catch(() => undefined) }
    } catch (error) {
      if (stopAsked.aborted) throw error
      throw await explainNoAnswer(url, error)
    }
  }
  const began = performance.now()
  const { status, body } = await read('/health/ready')
  const milliseconds = Math.round(performance.now() - began)
  const answer = field(body, 'status')
  if (answer !== 'ready' && answer !== 'unready') {
    const reason = `it answered ${status}, but not as Octavo does: check the url.`
    return { ready: false, reasons: [reason], milliseconds }
  }
  if (answer === 'ready') {
    const version = field(field((await read('/openapi.json')).body, 'info'), 'version')
    return { ready: true, reasons: [], milliseconds, ...(typeof version === 'string' && { version }) }
  }
  const reasons = field(body, 'reasons')
  const sentences = Array.isArray(reasons)
    ? reasons.map((reason) => String(field(reason, 'description')))
    : []
  return { ready: false, reasons: sentences, milliseconds }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
