// The public keys of an identity provider, found through its discovery document.
//
// They are cached and fetched again now and then; while the provider is down, the cached keys keep working. An unknown key is
// looked up at the provider, at most once a second however many requests need it, so that a rotated key works at once and
// made-up ones do not burden the provider.
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressIn, ProviderUnreachable, readDiscovery, readJson } from './discovery.ts'

export type KeySet = ReturnType<typeof createLocalJWKSet>

export interface IssuerKeys {
  /** Fetches the keys again if the last time was long ago. Does not wait for it. */
  readonly refresh: () => void
  /** The cached keys; fetches them if there are none yet. */
  readonly known: () => Promise<KeySet>
  /** The keys that the provider has now. */
  readonly newest: () => Promise<KeySet>
}

export interface IssuerKeysOptions {
  readonly issuer: string
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  /** Called when the provider has other keys than before. */
  readonly onChange: () => void
  readonly refreshAfterMs?: number
  readonly leastBetweenMs?: number
}

export function issuerKeys({
  issuer,
  elapsed,
  onChange,
  refreshAfterMs = 300_000,
  leastBetweenMs = 1_000,
}: IssuerKeysOptions): IssuerKeys {
  let held: { readonly keys: KeySet; readonly text: string } | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let coming: Promise<KeySet> | undefined

  const fetchKeys = async (): Promise<KeySet> => {
    const wait = askedAt + leastBetweenMs - elapsed()
    if (wait > 0) await sleep(wait)
    askedAt = elapsed()
    const keySet = await readKeySet(issuer)
    const text = JSON.stringify(keySet)
    if (held?.text !== text) {
      if (held !== undefined) onChange()
      held = { keys: createLocalJWKSet(keySet), text }
    }
    return held.keys
  }
  const newest = (): Promise<KeySet> => {
    coming ??= fetchKeys().finally(() => {
      coming = undefined
    })
    return coming
  }

  return {
    newest,
    refresh: () => {
      // While the provider is down, the cached keys keep working.
      if (elapsed() - askedAt > refreshAfterMs) newest().catch(() => {})
    },
    known: async () => held?.keys ?? newest(),
  }
}

async function readKeySet(issuer: string): Promise<JSONWebKeySet> {
  const keySet = await readJson(addressIn(await readDiscovery(issuer), 'jwks_uri'))
  if (!Array.isArray(keySet['keys'])) throw new ProviderUnreachable('Its key set holds no keys.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- jose looks at each key when it uses it
  return keySet as unknown as JSONWebKeySet
}
