import { forService } from '../settings/for-service.ts'
import { ok, problem, warning, type Check, type Finding } from './finding.ts'

/** The options that the environment gives to `octavo serve` here: keys, origins, and whatever is mistyped. */
export const checkOptions: Check = async ({ context, databaseUrl, options }) => {
  if (databaseUrl === undefined) return []
  if (options !== undefined) {
    const ids = options.pageTokenKeys.map(({ id }) => id).join(', ')
    return [ok('keys', `page token keys: ${ids}`), ...options.corsOrigins.map(judgeOrigin)]
  }
  const { readOptions, serveOptions } = await import('@octavo/service')
  const environment = { ...forService(context.environment), OCTAVO_DATABASE_URL: databaseUrl }
  const read = readOptions(serveOptions, [], environment)
  if (read.kind !== 'refused') return []
  return read.problems.map((text) =>
    text.startsWith('The option page-token-keys is missing')
      ? problem('keys', 'OCTAVO_PAGE_TOKEN_KEYS is not set in this shell', 'octavo bootstrap')
      : problem('options', text, 'octavo serve --help'),
  )
}

function judgeOrigin(origin: string): Finding {
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
