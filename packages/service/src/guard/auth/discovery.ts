// What an identity provider says about itself: its discovery document, and what that leads to.

/** The provider does not answer, or not as a provider does. This says nothing about the credentials that are being checked. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

export const providerAnswersWithinMs = 5_000
/** Key sets and discovery documents have a few kilobytes. */
const mostBytes = 2 ** 20

export type Discovery = Readonly<Record<string, unknown>>

export async function readDiscovery(issuer: string): Promise<Discovery> {
  const discovery = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  // OpenID Connect Discovery 1.0, section 4.3: another issuer in the document may be an impersonation.
  if (discovery['issuer'] !== issuer) {
    throw new ProviderUnreachable('Its discovery document is that of another issuer.')
  }
  return discovery
}

/** An address that the discovery document has, under the name that the standard gives it. */
export function addressIn(discovery: Discovery, name: string): string {
  const address = discovery[name]
  if (typeof address !== 'string' || !URL.canParse(address)) {
    throw new ProviderUnreachable(`Its discovery document has no ${name}.`)
  }
  const { issuer } = discovery
  if (String(issuer).startsWith('https:') && new URL(address).protocol !== 'https:') {
    throw new ProviderUnreachable(`Its ${name} is not an https address.`)
  }
  return address
}

export async function readJson(address: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(providerAnswersWithinMs),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return JSON.parse(await boundedText(response)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw new ProviderUnreachable(`${address} does not answer as it should.`, { cause: error })
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
