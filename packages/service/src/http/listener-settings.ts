import { answerCodings, type AnswerCoding } from '@octavo/protocol'
import type { ServeOptions } from '../config/options.ts'
import { readCertificate, type Certificate } from '../guard/tls/certificate-files.ts'
import { clientTimes, type ClientTimes } from './slow-clients.ts'

/** The settings of a deployment for its connections, applied before any request is parsed. */
export interface ListenerSettings {
  /** Serves HTTPS with a certificate, HTTP without. */
  readonly certificate: Certificate | undefined
  readonly trustedProxyHops: number
  readonly maxConnections: number
  /** How answers may be compressed, the preferred way first. */
  readonly codings: readonly AnswerCoding[]
  readonly times: ClientTimes
}

export const defaultListener: ListenerSettings = {
  certificate: undefined,
  trustedProxyHops: 0,
  maxConnections: 10_000,
  codings: answerCodings,
  times: clientTimes,
}

type ListenerOptions = Pick<
  ServeOptions,
  'tlsCertificateFile' | 'tlsKeyFile' | 'trustedProxyHops' | 'maxConnections' | 'compression'
>

export function listenerSettings(options: ListenerOptions): ListenerSettings {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = options
  return {
    certificate: certificateFile === '' ? undefined : readCertificate({ certificateFile, keyFile }),
    trustedProxyHops: options.trustedProxyHops,
    maxConnections: options.maxConnections,
    codings: options.compression,
    times: clientTimes,
  }
}
