// The address of the client that sent a request. For logs and limits only: no access is ever granted because of an address.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

type Sent = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Each proxy appends the address of its client to X-Forwarded-For. So, counted from the end, only as many addresses can be
 * trusted as there are proxies that we trust; the client may have written everything before them.
 */
export function callerAddress({ headers, socket }: Sent, trustedHops: number): string {
  const nearest = socket.remoteAddress ?? 'unknown'
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const trusted = trustedHops === 0 ? [] : forwarded.slice(-trustedHops).toReversed()
  let address = nearest
  for (const text of trusted) {
    const next = text.trim()
    // If a proxy sends nothing that is an address, the proxy itself counts as the client.
    if (isIP(next) === 0) break
    address = next
  }
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

/** The network that limits count by. One subscriber has a whole IPv6 /64, and would otherwise count as many callers. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const left = before === '' ? [] : before.split(':')
  const right = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}
