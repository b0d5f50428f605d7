// The health check of the image, against servers with different options.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'octavo-health-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function exitCodeWith(environment: Readonly<Record<string, string>>): Promise<unknown> {
  const child = spawn(process.execPath, [join(root, 'deploy/health-check.mjs')], { env: environment })
  const [code] = await once(child, 'exit')
  return code
}

const live: RequestListener = ({ url }, response) => {
  response.statusCode = url === '/health/live' ? 200 : 404
  response.end()
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return String(typeof address === 'object' ? address?.port : '')
}

it('the image has it, and asks it', () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  expect(dockerfile).toContain('COPY deploy/health-check.mjs ./')
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n\s+CMD \["node", "health-check.mjs"\]$/m)
  const copied = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8')
  expect(copied.split('\n')).toContain('!deploy/health-check.mjs')
})

it('finds a service on another port', async () => {
  const server = createServer(live)
  const OCTAVO_PORT = await listening(server)
  for (const OCTAVO_HOST of ['0.0.0.0', '127.0.0.1', '']) {
    expect(await exitCodeWith({ OCTAVO_PORT, OCTAVO_HOST })).toBe(0)
  }
  server.close()
})

it('finds a service that speaks TLS', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat([
      '-subj',
      '/CN=octavo.example.com',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  )
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, live)
  const OCTAVO_PORT = await listening(server)
  expect(await exitCodeWith({ OCTAVO_PORT, OCTAVO_TLS_CERTIFICATE_FILE: cert })).toBe(0)
  expect(await exitCodeWith({ OCTAVO_PORT })).toBe(1)
  server.close()
})

it('says so when there is no answer, or an unexpected one', async () => {
  const server = createServer((_, response) => {
    response.statusCode = 503
    response.end()
  })
  const OCTAVO_PORT = await listening(server)
  expect(await exitCodeWith({ OCTAVO_PORT })).toBe(1)
  server.close()
  await once(server, 'close')
  expect(await exitCodeWith({ OCTAVO_PORT })).toBe(1)
})
