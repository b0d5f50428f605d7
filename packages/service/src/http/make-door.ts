import type { ServeOptions } from '../config/options.ts'
import { readCertificate } from '../guard/tls/certificate-files.ts'
import type { Door } from './door.ts'
import { clientTimes } from './slow-clients.ts'

type DoorOptions = Pick<
  ServeOptions,
  'tlsCertificateFile' | 'tlsKeyFile' | 'trustedProxyHops' | 'maxConnections'
>

export function makeDoor(options: DoorOptions): Door {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = options
  return {
    certificate: certificateFile === '' ? undefined : readCertificate({ certificateFile, keyFile }),
    trustedProxyHops: options.trustedProxyHops,
    maxConnections: options.maxConnections,
    times: clientTimes,
  }
}
