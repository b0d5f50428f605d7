import {
  checkOptions,
  invalidOption,
  isFunction,
  isNumber,
  isWhole,
  shown,
  type OptionRules,
} from './options/check-options.ts'
import { requestIdPrefix } from './transport/read-answer.ts'
import type { RetryNotice, TokenSource, Transport } from './transport/transport.ts'

export interface ClientOptions {
  /** The base URL of the service, such as `https://octavo.example.com`. */
  readonly url: string | URL
  /** A bearer token, or a function that returns one. The function is called for every request, so for every page too. */
  readonly token: TokenSource
  /** How many times a request is retried after 429, 502, 503, 504, or a network failure. The default is 8. */
  readonly retries?: number
  /** Called before every retry, for a log or a progress display. If it throws, the request fails with that error. */
  readonly onRetry?: (retry: RetryNotice) => void
  /** The upper bound of the first retry delay; it doubles with each retry, up to 10 seconds. The default is 200. */
  readonly backoffMilliseconds?: number
  /** If `Retry-After` is longer than this, the client does not wait but fails. The default is 120. */
  readonly longestWaitSeconds?: number
  /** The time-out of one request. The default is 60. */
  readonly timeoutSeconds?: number
  /**
   * How the service may compress what it sends. The default, `auto`, is whatever it and `fetch` can do, and nothing for a service
   * on this machine. A browser decides for itself, whatever this says.
   */
  readonly compression?: 'auto' | 'gzip' | 'zstd' | 'none'
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** For `Accept-Encoding`: see `accepts` of the transport. */
const accepted = {
  auto: ['zstd, br, gzip', undefined, 'identity'],
  gzip: ['gzip', 'identity'],
  zstd: ['zstd', 'identity'],
  none: ['identity'],
} as const

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Timers take at most 2^31 - 1 milliseconds; with more they end at once. */
const longestTimeoutSeconds = 2_147_483

const rules: OptionRules = {
  url: [() => true, '', /ur[il]|host|endpoint|address|origin|server/i],
  token: [() => true, '', /token|key|auth|bearer|secret|credential/i],
  onRetry: [isFunction, 'a function', /on_?retr/i],
  retries: [
    (value) => isWhole(value) || value === Infinity,
    'a whole number, 0 or more',
    /retr|attempt|tries/i,
  ],
  backoffMilliseconds: [isNumber, 'a number of milliseconds, 0 or more', /backoff|delay/i],
  longestWaitSeconds: [isNumber, 'a number of seconds, 0 or more', /wait/i],
  timeoutSeconds: [
    (value) => isNumber(value) && value > 0 && value <= longestTimeoutSeconds,
    'a number of seconds, more than 0 and at most 2,147,483',
    /time_?out|deadline/i,
  ],
  compression: [
    (value) => Object.keys(accepted).includes(String(value)),
    'auto, gzip, zstd or none',
    /compress|encod/i,
  ],
  fetch: [isFunction, 'a function like the global fetch', /fetch/i],
}

export function transportOf(options: ClientOptions): Transport {
  checkOptions('createClient', options, rules)
  requireToken(options.token)
  // Not randomUUID: browsers offer it in secure contexts only.
  const client = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join('')
  let requests = 0
  const url = checkedUrl(options.url)
  const { compression = 'auto' } = options
  const isHere = loopback.test(parsed(url)?.hostname ?? '')
  return {
    url,
    token: options.token,
    requireToken,
    onRetry: options.onRetry ?? (() => {}),
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    retries: options.retries ?? 8,
    backoffMilliseconds: options.backoffMilliseconds ?? 200,
    longestWaitSeconds: options.longestWaitSeconds ?? 120,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    accepts: accepted[compression === 'auto' && isHere ? 'none' : compression],
    newRequestId: () => `${requestIdPrefix}${client}-${(requests += 1)}`,
    seen: { requestId: false, accepted: 0 },
  }
}

const fromEnvironment = 'If it comes from an environment variable, check that the variable is set.'

function checkedUrl(given: unknown): string {
  const text = given instanceof URL ? given.href : given
  const refused = (problem: string, didYouMean?: string) =>
    invalidOption('url', `\`url\` ${problem}`, didYouMean)
  if (typeof text !== 'string' || text === '') {
    throw refused(`must be the address of the service, but is ${shown(text)}. ${fromEnvironment}`)
  }
  const url = parsed(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    const meant = /^[\w.-]+(:\d+)?(\/.*)?$/.test(text)
      ? `${/^(localhost|127\.)/.test(text) ? 'http' : 'https'}://${text}`
      : undefined
    throw refused(
      `must begin with https:// or http://, but is ${shown(text)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      meant,
    )
  }
  if (url.username !== '') throw refused('must not contain a name or password. Pass credentials as `token`.')
  const endpoint = /\/+(api\/v1\/ontologies|api\/[^/]+\/v1\/objects|manage\/v1)(\/|$)/.exec(url.pathname)
  if (endpoint !== null || url.search !== '' || url.hash !== '') {
    const meant = (url.origin + url.pathname.slice(0, endpoint?.index)).replace(/\/+$/, '')
    throw refused(`must be the address of the service alone. Did you mean ${meant}?`, meant)
  }
  return text.replace(/\/+$/, '')
}

/** In a web page, an address that begins with a slash is one of the page's own server. */
function parsed(text: string): URL | undefined {
  try {
    const { location } = globalThis as { readonly location?: { readonly href: string } }
    return new URL(text, text.startsWith('/') ? location?.href : undefined)
  } catch {
    return undefined
  }
}

/** Messages never contain the token. */
function requireToken(token: unknown, isReturned = false): void {
  if (isFunction(token) && !isReturned) return
  const name = isReturned ? 'What the function `token` returned' : '`token`'
  const refused = (problem: string) => invalidOption('token', `${name} ${problem}`)
  if (token instanceof Promise) {
    throw refused(
      'is a Promise. Pass `await` of it, or a function that returns it: token: () => fetchToken().',
    )
  }
  if (typeof token !== 'string' || token.trim() === '') {
    throw refused(`must be a bearer token, but is ${shown(token)}. ${fromEnvironment}`)
  }
  if (/^\s*bearer\s/i.test(token)) {
    throw refused('begins with "Bearer". Pass the token alone; the client adds that word.')
  }
  if (/[^\x21-\x7e]/.test(token.trim())) {
    throw refused('contains a space, or a character that no token has. Pass it exactly as it was issued.')
  }
}
