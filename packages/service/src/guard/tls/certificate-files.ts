// The certificate of the service, from files that another program renews.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import { createSecureContext, Server } from 'node:tls'
import type { Observe } from '../../observe/observation.ts'

export interface CertificateFiles {
  readonly certificateFile: string
  readonly keyFile: string
}

export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly minVersion: 'TLSv1.2'
}

/** For the start: the service does not start with a pair that does not work. */
export const readCertificate = ({ certificateFile, keyFile }: CertificateFiles): Certificate =>
  workingCertificate(readFileSync(certificateFile, 'utf8'), readFileSync(keyFile, 'utf8'))

/** Throws if either is not PEM, or if the key does not belong to the certificate. */
function workingCertificate(cert: string, key: string): Certificate {
  const certificate = { cert, key, minVersion: 'TLSv1.2' } as const
  createSecureContext(certificate)
  return certificate
}

export interface CertificateWatch {
  readonly files: CertificateFiles
  readonly loaded: Certificate
  readonly server: HttpServer | Server
  readonly observe: Observe
  readonly everyMilliseconds: number
}

/**
 * Uses the new certificate whenever the files change; open connections keep the old one. Files are compared by their contents:
 * on some file systems modification times have a resolution of seconds, and in some deployments links are swapped.
 */
export function watchCertificate(watch: CertificateWatch): () => void {
  const { files, server, observe, everyMilliseconds } = watch
  const { certificateFile: file, keyFile } = files
  let seen = `${watch.loaded.cert}\n${watch.loaded.key}`
  const look = async (): Promise<void> => {
    let pair = 'unreadable'
    try {
      const [cert, key] = await Promise.all([readFile(file, 'utf8'), readFile(keyFile, 'utf8')])
      pair = `${cert}\n${key}`
      if (pair === seen) return
      const certificate = workingCertificate(cert, key)
      if (server instanceof Server) server.setSecureContext(certificate)
      observe({ kind: 'certificate-loaded', file })
    } catch (error) {
      // Often one of the files is new and the other is not yet; the pair in use stays. Reported once for each state of the
      // files.
      if (pair !== seen) observe({ kind: 'certificate-refused', file, error })
    }
    seen = pair
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
    })
  }, everyMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}
