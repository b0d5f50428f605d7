// Checks that the process in this container answers, at the address and port that its options set. The certificate is issued for
// another name than the one used here, so it is not verified.
import http from 'node:http'
import https from 'node:https'

const { OCTAVO_HOST, OCTAVO_PORT, OCTAVO_TLS_CERTIFICATE_FILE } = process.env
const everyAddress = ['', '0.0.0.0', '::']
const { get } = OCTAVO_TLS_CERTIFICATE_FILE ? https : http
const request = get(
  {
    host: everyAddress.includes(OCTAVO_HOST ?? '') ? '127.0.0.1' : OCTAVO_HOST,
    port: OCTAVO_PORT || 8080,
    path: '/health/live',
    rejectUnauthorized: false,
    timeout: 2_500,
  },
  ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1),
)
request.on('timeout', () => request.destroy())
request.on('error', () => process.exit(1))
