import { ok, problem, warning, type Check, type Finding } from './finding.ts'

/** The options that the environment gives to `octavo serve` here: keys, origins, and whatever is mistyped. */
export const checkOptions: Check = async ({ options, optionProblems = [] }) => {
  if (options !== undefined) {
    const ids = options.pageTokenKeys.map(({ id }) => id).join(', ')
    return [ok('keys', `page token keys: ${ids}`), ...options.corsOrigins.map(judgeOrigin)]
  }
  return optionProblems.map((text) =>
    text.startsWith('The option page-token-keys is missing')
      ? problem('keys', 'OCTAVO_PAGE_TOKEN_KEYS is not set in this shell', 'octavo bootstrap')
      : problem('options', text, 'octavo serve --help'),
  )
}

function judgeOrigin(origin: string): Finding {
  // Not an origin, but a name for all origins of this machine.
  if (origin === 'loopback') return ok('origins', 'pages of this machine may call the service')
  const { protocol, hostname } = new URL(origin)
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
  return isSafe
    ? ok('origins', `pages of ${origin} may call the service`)
    : warning(
        'origins',
        `pages of ${origin} may call the service, and anybody on their way can change them`,
        `export OCTAVO_CORS_ORIGINS=${origin.replace('http:', 'https:')}`,
      )
}
