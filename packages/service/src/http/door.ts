import type { Certificate } from '../guard/tls/certificate-files.ts'
import { clientTimes, type ClientTimes } from './slow-clients.ts'

/** What a deployment decides about connections, before any request is understood. */
export interface Door {
  /** HTTPS with one, HTTP without. */
  readonly certificate: Certificate | undefined
  readonly trustedProxyHops: number
  readonly maxConnections: number
  readonly times: ClientTimes
}

export const openDoor: Door = {
  certificate: undefined,
  trustedProxyHops: 0,
  maxConnections: 10_000,
  times: clientTimes,
}
