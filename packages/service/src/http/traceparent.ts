// The header is written to the log and to traces, so only values that W3C Trace Context allows are accepted.
import type { IncomingHttpHeaders } from 'node:http'

const versionZero = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

export const traceparentOf = ({ traceparent }: IncomingHttpHeaders): { readonly traceparent?: string } =>
  typeof traceparent === 'string' && versionZero.test(traceparent) ? { traceparent } : {}
