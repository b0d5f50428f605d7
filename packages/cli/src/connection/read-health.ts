import type { CommandContext } from '../base/command-context.ts'
import { explainNoAnswer } from './explain-no-answer.ts'

export interface Health {
  readonly status: 'ready' | 'unready'
  /** Why the service is not ready. */
  readonly reasons: readonly { readonly name: string; readonly description: string }[]
  readonly serviceVersion?: string
  readonly milliseconds: number
}

export const reasonsText = ({ reasons }: Health): string =>
  reasons.map(({ description }) => description).join(' ')

type HealthContext = Pick<CommandContext, 'fetch' | 'stopAsked'>

/** Sent without a token and without retries, because the current state is wanted. */
export async function readHealth(url: string, { fetch, stopAsked }: HealthContext): Promise<Health> {
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
    const description = `it answered ${status}, but not as Octavo does: check the url.`
    return { status: 'unready', reasons: [{ name: 'notOctavo', description }], milliseconds }
  }
  if (answer === 'ready') {
    const version = field(field((await read('/openapi.json')).body, 'info'), 'version')
    const known = typeof version === 'string' && { serviceVersion: version }
    return { status: answer, reasons: [], milliseconds, ...known }
  }
  const reasons = field(body, 'reasons')
  const known = Array.isArray(reasons) ? reasons.map(reasonOf) : []
  return { status: answer, reasons: known, milliseconds }
}

const reasonOf = (reason: unknown) => ({
  name: String(field(reason, 'name')),
  description: String(field(reason, 'description')),
})

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
