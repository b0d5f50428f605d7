// Uses real certificates made by openssl, and real connections.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeEach, beforeAll, expect, it } from 'vitest'
import { httpServerOf } from '../../../test/support/http-server-of.ts'
import { defaultListener } from '../../http/listener-settings.ts'
import type { Observation } from '../../observe/observation.ts'
import { readCertificate, watchCertificate } from './certificate-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-tls-'))
const path = (name: string) => join(folder, name)
const files = { certificateFile: path('in-use.pem'), keyFile: path('in-use.key') }

const makePair = (name: string) =>
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat(
      ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
      ['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)],
    ),
    { stdio: 'ignore' },
  )

/**
 * Replaces the file atomically: a file that is written in place is empty for a moment, which the watch may see as another state.
 */
const put = (file: string, text: string) => {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
const use = (name: string, file: string) => put(file, readFileSync(path(name), 'utf8'))

const usePair = (certificate: string, key: string) => {
  use(`${certificate}.pem`, files.certificateFile)
  use(`${key}.key`, files.keyFile)
}

beforeAll(() => {
  makePair('first')
  makePair('second')
})
afterAll(() => rmSync(folder, { recursive: true }))

let observations: Observation[]
let stop: () => Promise<void>
let port: number

beforeEach(async () => {
  observations = []
  usePair('first', 'first')
  const certificate = readCertificate(files)
  const observe = (observation: Observation) => void observations.push(observation)
  const app = httpServerOf({
    authenticate: () => Promise.reject(new Error('not reached')),
    observe,
    listener: { ...defaultListener, certificate },
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  expect(address).toMatch(/^https:/)
  port = Number(new URL(address).port)
  const stopWatching = watchCertificate({
    files,
    loaded: certificate,
    server: app.server,
    observe,
    everyMilliseconds: 50,
  })
  stop = async () => {
    stopWatching()
    await app.close()
  }
})
afterEach(() => stop())

interface SecureAnswer {
  readonly name: string | string[] | undefined
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
}

/** One request on a new connection, which trusts any certificate. */
const get = (url = '/openapi.json'): Promise<SecureAnswer> =>
  new Promise((resolve, reject) => {
    request({ port, path: url, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, (response) => {
      const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN
      resolve({ name, status: response.statusCode, headers: response.headers })
      response.resume()
    })
      .on('error', reject)
      .end()
  })

const kinds = () => observations.map(({ kind }) => kind).filter((kind) => kind.startsWith('certificate'))

it('serves HTTPS, and tells browsers to stay with it', async () => {
  const { name, status, headers } = await get()
  expect({ name, status }).toEqual({ name: 'first', status: 200 })
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/)
})

it('takes over a new certificate without a restart', async () => {
  usePair('second', 'second')
  await expect.poll(async () => (await get()).name, { timeout: 5_000 }).toBe('second')
  expect(kinds().at(-1)).toBe('certificate-loaded')
})

it('continues with the old pair while the new one is broken, says so once, and recovers', async () => {
  use('second.pem', files.certificateFile)
  await expect.poll(kinds, { timeout: 5_000 }).toEqual(['certificate-refused'])
  expect((await get()).name).toBe('first')
  put(files.keyFile, 'nonsense')
  await expect.poll(kinds, { timeout: 5_000 }).toEqual(['certificate-refused', 'certificate-refused'])
  rmSync(files.keyFile)
  await expect.poll(kinds, { timeout: 5_000 }).toHaveLength(3)
  expect((await get()).name).toBe('first')
  use('second.key', files.keyFile)
  await expect.poll(kinds, { timeout: 5_000 }).toHaveLength(4)
  expect(kinds().at(-1)).toBe('certificate-loaded')
  expect((await get()).name).toBe('second')
})

it('no part of a key is ever observed', async () => {
  put(files.keyFile, '-----BEGIN PRIVATE KEY-----\nhushhushhush\n-----END PRIVATE KEY-----\n')
  await expect.poll(kinds, { timeout: 5_000 }).toEqual(['certificate-refused'])
  const refused = observations.find(({ kind }) => kind === 'certificate-refused')
  const error = refused !== undefined && 'error' in refused ? refused.error : undefined
  expect(String(error)).not.toContain('hush')
})

const negotiated = (maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
  new Promise<string | null>((resolve) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion,
      // Without it, the test's own client would refuse to offer the old versions.
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    socket.on('secureConnect', () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.on('error', () => resolve(null))
  })

it('speaks TLS 1.3 and 1.2, and nothing older, also after a change of certificate', async () => {
  const versions = async () => [
    await negotiated('TLSv1.3'),
    await negotiated('TLSv1.2'),
    await negotiated('TLSv1.1'),
  ]
  expect(await versions()).toEqual(['TLSv1.3', 'TLSv1.2', null])
  usePair('second', 'second')
  await expect.poll(async () => (await get()).name, { timeout: 5_000 }).toBe('second')
  expect(await versions()).toEqual(['TLSv1.3', 'TLSv1.2', null])
})

it('closes a connection that speaks plain HTTP, and continues', async () => {
  const received = await new Promise<string>((resolve) => {
    const socket = connectPlain(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  expect(received).not.toContain('200')
  expect((await get()).status).toBe(200)
})

it('a pair that does not work is refused at the start', () => {
  usePair('first', 'second')
  expect(() => readCertificate(files)).toThrow(/mismatch/)
})
