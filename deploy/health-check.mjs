// Whether the process in this container answers, wherever its own options make it listen. The certificate is its own and for
// another name, so it is not checked here.
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
