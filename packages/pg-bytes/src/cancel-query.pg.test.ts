// A server that accepts only TLS, with a certificate that is verified, and a recording of the bytes on the wire.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelQuery } from './cancel-query.ts'

let cluster: Cluster
let wire: Server
let url: URL
const sent: Buffer[] = []

beforeAll(async () => {
  cluster = await startCluster()
  const { dataFolder, port } = cluster
  const certificate = join(dataFolder, 'server.crt')
  const key = join(dataFolder, 'server.key')
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat(
      ['-subj', '/CN=database', '-addext', 'subjectAltName=IP:127.0.0.1'],
      ['-keyout', key, '-out', certificate],
    ),
    { stdio: 'ignore' },
  )
  const { uid, gid } = statSync(dataFolder)
  for (const file of [certificate, key]) chownSync(file, uid, gid)
  const plain = new Pool({ connectionString: cluster.url })
  await plain.query('alter system set ssl = on')
  const rules = join(dataFolder, 'pg_hba.conf')
  writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll(/^host\b/gm, 'hostssl'))
  await plain.query('select pg_reload_conf()')
  await plain.end()

  wire = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    client.on('data', (data: Buffer) => sent.push(data)).pipe(database)
    database.pipe(client)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => {}).once('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(wire, 'listening')
  url = new URL(cluster.url)
  const address = wire.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.search = `sslmode=verify-full&sslrootcert=${certificate}`
})
afterAll(async () => {
  wire.close()
  await cluster.stop()
})

it('a cancel goes over TLS where its connection does, and stops the query', async () => {
  const plain = new Pool({ connectionString: cluster.url })
  await expect(plain.query('select 1')).rejects.toThrow(/no encryption/)
  await plain.end()

  const pool = new Pool({ connectionString: url.href })
  const client = await pool.connect()
  const stopped = client.query('select pg_sleep(20)').catch(({ code }: { code: string }) => code)
  await sleep(200)
  sent.splice(0)
  await cancelQuery(client)
  expect(await stopped).toBe('57014')

  const { processID, secretKey } = client as unknown as Record<'processID' | 'secretKey', number>
  const facts = Buffer.alloc(8)
  facts.writeInt32BE(processID, 0)
  facts.writeInt32BE(secretKey, 4)
  const heard = Buffer.concat(sent)
  // The request for TLS, and after it nothing in plain text.
  expect(heard.subarray(0, 8).toString('hex')).toBe('0000000804d2162f')
  expect(heard.includes(facts)).toBe(false)
  client.release()
  await pool.end()
})

it('nothing is sent to a server that does not match the certificate', async () => {
  const pool = new Pool({ connectionString: url.href })
  const client = await pool.connect()
  const ended = client.query('select pg_sleep(1)').then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )
  // As if another server answered at this address: its certificate is not valid for this name.
  Object.assign(client, { host: 'localhost' })
  sent.splice(0)
  await cancelQuery(client)
  expect(await ended).toBe('done')
  client.release()
  await pool.end()
})
