// When a client disconnects, its query is cancelled: no query runs for a client that is gone.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../packages/service/test/inside.ts'
import { revisions, type Revision } from '../../packages/service/test/support/page-revisions.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedItems } from './serve-items.ts'

const clients = 30
/** The number of pages in flight is one less than the connections, and up to four of them share one. */
const least = Math.ceil(9 / 4)

export async function proveGoneClients(proof: Proof, served: ServedItems): Promise<void> {
  await proof.point('A client that disconnects ends its query in PostgreSQL', async () => {
    const type = await served.store.catalog.objectType(served.ontology, served.collection.objectType)
    if (type === undefined) throw new Error('no type')
    const { database } = served.store
    const { ended, release } = await holdTable(database, type.tables.current)
    const waiting = async (): Promise<number> => {
      const rows = await database.rows({
        text: `select pid from pg_stat_activity where application_name = 'octavo' and wait_event_type = 'Lock'`,
        values: [],
      })
      return rows.length
    }
    try {
      // More clients than database connections: queued requests must not start once their clients are gone.
      const sockets = Array.from({ length: clients }, (_, i) => startRequest(served, revisions[i % 2]))
      await until(async () => (await waiting()) >= least, 'the requests did not reach the lock')
      const most = await waiting()
      for (const socket of sockets) socket.destroy()
      const since = performance.now()
      await until(async () => (await waiting()) === 0, `${await waiting()} queries kept running`)
      const milliseconds = Math.round(performance.now() - since)
      release()
      await ended
      const answer = await fetch(
        `${served.service.url}/api/v1/ontologies/${served.ontology.rid}/objects/${served.collection.objectType}`,
        { headers: { authorization: `Bearer ${testToken}` } },
      )
      expect(answer.status === 200, `the next request was ended with ${answer.status}`)
      await answer.text()
      return `${clients} clients, ${most} queries held up, none left after ${milliseconds} ms`
    } finally {
      release()
      await ended
    }
  })
}

/** Locks the table against all readers until it is released. */
async function holdTable(database: Database, table: string) {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = database.transaction(async (transaction) => {
    await transaction.run(`lock table ${table} in access exclusive mode`)
    held.resolve()
    await released.promise
  })
  await held.promise
  return { ended, release: () => released.resolve() }
}

function startRequest({ service, collection }: ServedItems, revision: Revision | undefined) {
  if (revision === undefined) throw new Error('no revision')
  const { path, init } = revision.call(collection, {})
  const body = init.body ?? ''
  const type = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const head = `${init.method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testToken}\r\n${type}\r\n`
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname, () => socket.write(head + body))
  socket.on('error', () => {})
  return socket
}

async function until(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await holds()) return
    await sleep(10)
  }
  throw new Error(otherwise)
}
