import { expect, it } from 'vitest'
import { callerAddress, networkOf } from './caller-address.ts'

const from = (remoteAddress: string | undefined, forwarded?: string) => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
})

it.each([
  ['nobody is trusted: the connection tells', 0, '10.0.0.1', '1.1.1.1', '10.0.0.1'],
  ['one proxy: what it added, not what the client wrote', 1, '10.0.0.1', '6.6.6.6, 1.1.1.1', '1.1.1.1'],
  ['two proxies', 2, '10.0.0.1', '6.6.6.6, 1.1.1.1,10.0.0.2', '1.1.1.1'],
  ['more proxies than there are', 3, '10.0.0.1', '1.1.1.1', '1.1.1.1'],
  ['a proxy that adds nothing', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['what is no address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
  ['text before an address', 2, '10.0.0.1', '"; drop, 1.1.1.1', '1.1.1.1'],
  ['an address of IPv6', 1, '::1', '2001:db8::1', '2001:db8::1'],
  ['IPv4 inside IPv6', 0, '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  ['a connection that is gone', 0, undefined, undefined, 'unknown'],
])('%s', (_, hops, remote, forwarded, address) => {
  expect(callerAddress(from(remote, forwarded), hops)).toBe(address)
})

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('limits count %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
