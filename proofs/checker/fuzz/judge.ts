// Judges every answer to a bad input.
import type { Input } from './inputs.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Refusals that say when to come again, or that what the caller asks for takes too long; a 503 is no fault of the service. */
const mayBeUnavailable = new Set(['Overloaded', 'OutcomeUnknown', 'StorageFull'])
/** Answered with the status 500, and says how to continue. */
const mayTakeTooLong = new Set(['ScanTimedOut'])
const sqlTexts =
  /\b(select .* from|insert into|syntax error at|relation "|column "|operator does not exist|pg_catalog)/i

/** The fault in the answer, in a few words; undefined if there is none. */
export function problemOf(
  { route, method }: Pick<Input, 'route' | 'method'>,
  { status, text }: Answer,
): string | undefined {
  // The refusal of a HEAD is its status alone.
  if (method === 'HEAD') return status < 500 || status === 503 ? undefined : String(status)
  // Has its own shape, which says why the service is not ready.
  if (route === '/health/ready' && status === 503) return undefined
  if (status >= 500) {
    const name = memberOf(text, 'errorName')
    const isRight = status === 503 ? mayBeUnavailable.has(name) : mayTakeTooLong.has(name)
    if (!isRight) return `${status} ${name}`
  }
  if (status >= 400 && sqlTexts.test(text)) return `${status} with SQL`
  if (status < 400) return undefined
  return hasShape(route, text) ? undefined : `${status} of another shape`
}

const errorMembers = ['errorCode', 'errorName', 'errorInstanceId', 'errorDescription', 'parameters']

/** Errors of signing in have the shape of OAuth, those of the tools that of JSON-RPC or ours. */
function hasShape(route: string, text: string): boolean {
  try {
    const error = JSON.parse(text) as object
    const isOurs = errorMembers.every((name) => name in error)
    if (route.includes('/multipass')) return isOurs || 'error' in error
    return isOurs || (route === '/mcp' && 'jsonrpc' in error)
  } catch {
    // A browser that signs in gets a page.
    return route.includes('/multipass') && text.startsWith('<!doctype html')
  }
}

function memberOf(text: string, name: string): string {
  try {
    return String((JSON.parse(text) as Readonly<Record<string, unknown>>)[name])
  } catch {
    return 'without JSON'
  }
}
