import { connect as connectTls } from 'node:tls'
import type { CliError } from '../base/cli-error.ts'
import { codeOf, innermostCause, ServiceUnreachable, WrongScheme } from './service-errors.ts'

/** OpenSSL's codes for an answer that is not TLS. */
const isNotTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$|^EPROTO$/

/** How a server ends a connection on which it did not find what it expected. */
const isCutOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Why fetch failed: there is no service, or it speaks the other one of http and https. */
export async function explainNoAnswer(url: string, error: unknown): Promise<CliError> {
  const code = codeOf(innermostCause(error))
  const isWrongScheme = url.startsWith('https:')
    ? isNotTls.test(code)
    : (isCutOff.has(code) || code.startsWith('HPE_')) && (await speaksTls(url))
  return isWrongScheme ? new WrongScheme(url) : new ServiceUnreachable(url, error)
}

const longestHandshakeMs = 2_000

/** Whether a TLS handshake succeeds there. Nothing is sent, so the certificate need not be trusted. */
function speaksTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connectTls({ host, port: Number(port || 80), rejectUnauthorized: false })
    const end = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(longestHandshakeMs, end(false))
    socket.once('secureConnect', end(true)).once('error', end(false)).once('close', end(false))
  })
}
