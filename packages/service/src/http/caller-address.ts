// The address of whoever sent a request, for logs and limits only: nothing is allowed because of an address.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

type Sent = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Each proxy adds the address of its own client at the end of X-Forwarded-For. So of the addresses in it only as many
 * are true, from the end, as there are proxies that we trust; whatever stands before was written by the client.
 */
export function callerAddress({ headers, socket }: Sent, trustedHops: number): string {
  const nearest = socket.remoteAddress ?? 'unknown'
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  const told = trustedHops === 0 ? [] : forwarded.slice(-trustedHops).toReversed()
  let address = nearest
  for (const text of told) {
    const next = text.trim()
    // A proxy that says nothing we understand is taken for the client itself.
    if (isIP(next) === 0) break
    address = next
  }
  return address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

/** What limits count by: one subscriber has a whole /64 of IPv6, and would count as many callers otherwise. */
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
