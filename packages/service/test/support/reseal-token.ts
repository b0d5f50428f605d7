import { readOptions } from '../../src/config/read-options.ts'
import { serveOptions } from '../../src/config/options.ts'
import type { TokenClaims } from '../../src/read/token/token-claims.ts'
import { tokenSealer, type TokenSealer } from '../../src/read/token/token-sealer.ts'
import { testKey } from './start-test-service.ts'

/** A sealer with the keys of the option; by default with those of the tests. */
export function sealerWith(pageTokenKeys: string = testKey('a', 1)): TokenSealer {
  const read = readOptions(serveOptions, [], {
    OCTAVO_DATABASE_URL: 'postgres://localhost/none',
    OCTAVO_PAGE_TOKEN_KEYS: pageTokenKeys,
  })
  if (read.kind !== 'read') throw new Error(JSON.stringify(read))
  return tokenSealer(read.options.pageTokenKeys)
}

/** Created once: to a reader of its tokens it looks like one process. */
let sealer: TokenSealer | undefined

/** The token that the service would have issued with these claims changed. */
export function resealed(token: string, change: (claims: TokenClaims) => TokenClaims): string {
  sealer ??= sealerWith()
  const claims = sealer.open(token)
  if (claims === undefined) throw new Error('The token is not sealed with the key of the tests.')
  return sealer.seal(change(claims))
}
