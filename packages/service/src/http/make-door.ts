import type { ServeOptions } from '../config/options.ts'
import type { Observe } from '../observe/observation.ts'
import { failedTries } from '../throttle/failed-tries.ts'
import { slowFailures } from '../throttle/slow-failures.ts'
import { readCertificate } from '../tls/certificate-files.ts'
import type { Door } from './door.ts'
import { clientTimes } from './slow-clients.ts'

type DoorOptions = Pick<
  ServeOptions,
  | 'tlsCertificateFile'
  | 'tlsKeyFile'
  | 'trustedProxyHops'
  | 'maxConnections'
  | 'failedAuthenticationsPerMinute'
>

export function makeDoor(
  options: DoorOptions,
  { elapsed, observe }: { readonly elapsed: () => number; readonly observe: Observe },
): Door {
  const { tlsCertificateFile: certificateFile, tlsKeyFile: keyFile } = options
  return {
    certificate: certificateFile === '' ? undefined : readCertificate({ certificateFile, keyFile }),
    trustedProxyHops: options.trustedProxyHops,
    maxConnections: options.maxConnections,
    times: clientTimes,
    slowFailure: slowFailures({
      count: failedTries({
        perMinute: options.failedAuthenticationsPerMinute,
        mostAddresses: 10_000,
        elapsed,
      }),
      observe,
      pauseMilliseconds: 1_000,
      mostPaused: 1_000,
    }),
  }
}
