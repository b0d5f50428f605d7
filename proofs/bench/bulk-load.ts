// How long it takes until flights are stored with all their indexes, alternating on one server: by COPY
// into a bare table and CREATE INDEX, by a load over HTTP, and by the command. Then 90 % of them are replaced.
// On a shared machine compare the processor time.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyIn, copyOut } from '@octavo/pg-bytes'
import { Client } from 'pg'
import { aviationTypes } from '../../packages/cli/test/inside.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { runOctavo } from '../harness/octavo-command.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'
import { longQueue, startService, type ServiceProcess } from '../harness/service-process.ts'
import type { Proof } from '../harness/prove.ts'
import { writeFlights } from './write-flights.ts'
import { cpuSecondsOf, cpuSecondsOfCluster, cpuSecondsOfEnded } from '../harness/cpu-time.ts'

/** The memory that CREATE INDEX gets: as much as a load gives it. */
const indexMemory = '256MB'

export const measureLoads = (proof: Proof): Promise<void> =>
  withServedLoad(async (served) => {
    const objects = Number(proof.given['objects'] ?? 300_000)
    const rounds = Number(proof.given['rounds'] ?? 2)
    const say = (round: number, what: string, cost: Cost, compared?: Cost): void =>
      proof.say(`round ${round}: ${what}: ${describe(cost, compared)}`)
    const file = join(served.folder, 'flights.ndjson')
    const changed = join(served.folder, 'changed.ndjson')
    await writeFlights(file, objects)
    await writeFlights(changed, objects, { changed: true })
    const service = await startService({ databaseUrl: served.databaseUrl, environment: longQueue })
    try {
      const first = await newType(served, 'first')
      await byCommand(served, service, { type: first.apiName, file })
      const rows = join(served.folder, 'rows.copy')
      await writeRows(served, first.tables.current, rows)
      const memory: number[] = []
      for (let round = 1; round <= rounds; round += 1) {
        const copied = await timed(served, service, () =>
          byCopy(served, { like: first.tables.current, to: `public.copied${round}`, rows }),
        )
        say(round, 'COPY and CREATE INDEX', copied)
        const sent = await newType(served, `sent${round}`)
        const overHttp = await timed(served, service, () =>
          byParts(served, service, { type: sent.apiName, file, objects }),
        )
        say(round, 'load over HTTP', overHttp, copied)
        const loaded = await newType(served, `loaded${round}`)
        const commanded = await timed(served, service, async () => {
          memory.push(await byCommand(served, service, { type: loaded.apiName, file }))
        })
        say(round, 'load by the command', commanded, copied)
        const replaced = await timed(served, service, () =>
          byParts(served, service, { type: sent.apiName, file: changed, objects, replaces: true }),
        )
        say(round, 'replacement over HTTP', replaced, copied)
        await served.store.database.run(`drop table public.copied${round}`)
      }
      proof.say(`memory: service ${service.memory().most} MB, command ${Math.max(...memory)} MB`)
    } finally {
      await service.stop()
    }
  })

interface Cost {
  readonly seconds: number
  readonly postgres: number
  readonly service: number
  readonly others: number
}

async function timed(
  { cluster }: ServedLoad,
  { pid }: ServiceProcess,
  work: () => Promise<void>,
): Promise<Cost> {
  const now = (): Cost => ({
    seconds: performance.now() / 1_000,
    postgres: cpuSecondsOfCluster(cluster),
    service: cpuSecondsOf([pid]),
    others: cpuSecondsOf([process.pid]) + cpuSecondsOfEnded(),
  })
  const before = now()
  await work()
  const { seconds } = now()
  // The processor time of a server process is counted once it has ended, a moment after its connection.
  await sleep(500)
  const after = now()
  return {
    seconds: seconds - before.seconds,
    postgres: after.postgres - before.postgres,
    service: after.service - before.service,
    others: after.others - before.others,
  }
}

function describe(cost: Cost, compared?: Cost): string {
  const ratio =
    compared === undefined ? '' : `, ${(compared.seconds / cost.seconds).toFixed(2)} of the speed of COPY`
  return `${cost.seconds.toFixed(1)} s; processor: PostgreSQL ${cost.postgres.toFixed(1)} s, service ${cost.service.toFixed(1)} s, client ${cost.others.toFixed(1)} s${ratio}`
}

async function newType({ store, ontology }: ServedLoad, apiName: string) {
  return store.applyObjectType(ontology, { ...aviationTypes.flight, apiName, links: {} })
}

async function columnsOf({ store }: ServedLoad, table: string): Promise<string> {
  const rows = await store.database.rows({
    text: 'select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum',
    values: [table],
  })
  return rows.map(({ attname }) => attname).join(', ')
}

/** The rows of a table as COPY reads them. */
async function writeRows(served: ServedLoad, table: string, path: string): Promise<void> {
  const file = await open(path, 'w')
  const client = await connected(served)
  const columns = await columnsOf(served, table)
  for await (const bytes of copyOut(client, `copy ${table} (${columns}) to stdout`)) await file.write(bytes)
  await file.close()
  await client.end()
}

async function connected({ databaseUrl }: ServedLoad): Promise<Client> {
  const client = new Client(databaseUrl)
  // Reported by the statement that is under way.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** One connection, one statement after another, as a careful person would type it. */
async function byCopy(
  served: ServedLoad,
  { like, to, rows }: { readonly like: string; readonly to: string; readonly rows: string },
): Promise<void> {
  const client = await connected(served)
  await client.query(`set maintenance_work_mem = '${indexMemory}'`)
  await client.query(`create table ${to} (like ${like})`)
  const columns = await columnsOf(served, like)
  await client.query('begin')
  /** What a piece of the file has after its last whole line. */
  const held: Buffer[] = []
  for await (const bytes of createReadStream(rows, { highWaterMark: 8 * 1024 * 1024 })) {
    held.push(bytes as Buffer)
    const whole = Buffer.concat(held.splice(0))
    const end = whole.lastIndexOf(10) + 1
    held.push(whole.subarray(end))
    await copyIn(client, `copy ${to} (${columns}) from stdin`, [whole.subarray(0, end)])
  }
  await client.query('commit')
  const { rows: indexes } = await client.query<{ readonly text: string }>(
    'select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = $1::regclass',
    [like],
  )
  for (const { text } of indexes) {
    await client.query(text.replace(/INDEX \S+ ON \S+/, `INDEX ON ${to}`))
  }
  await client.query(`analyze ${to}`)
  await client.end()
}

interface Wanted {
  readonly type: string
  readonly file: string
  /** How many are in the file. */
  readonly objects: number
  /** The way that a replacement is expected to take. */
  readonly replaces?: boolean
}

interface Sent {
  readonly method?: string
  readonly mediaType?: string
  readonly body?: string
}

interface Answer {
  readonly loadId?: string
  readonly created?: number
  readonly updated?: number
  readonly unchanged?: number
}

async function byCommand(
  { folder }: ServedLoad,
  { url }: ServiceProcess,
  { type, file }: Pick<Wanted, 'type' | 'file'>,
): Promise<number> {
  const { mostMemory } = await runOctavo(['load', type, file], { url, folder })
  return mostMemory
}

/** Parts of the size that the command sends, and as many at a time. */
async function byParts(
  { ontology, store }: ServedLoad,
  service: ServiceProcess,
  { type, file, objects, replaces = false }: Wanted,
): Promise<void> {
  const loads = `${service.url}/manage/v1/ontologies/${ontology.rid}/loads`
  const ask = async (
    url: string,
    { method = 'POST', mediaType = 'application/json', body }: Sent = {},
  ): Promise<Answer> => {
    const headers = {
      authorization: `Bearer ${testToken}`,
      ...(body !== undefined && { 'content-type': mediaType }),
    }
    const response = await fetch(url, { method, ...(body !== undefined && { body }), headers })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return JSON.parse(text) as Answer
  }
  const { tables } = (await store.catalog.objectType(ontology, type)) ?? {}
  const tableNow = () =>
    store.database.rows({ text: 'select $1::regclass::oid as oid', values: [tables?.current ?? ''] })
  const [before] = await tableNow()
  const wanted = { objectTypes: [type], replace: replaces }
  const { loadId } = await ask(loads, { body: JSON.stringify(wanted) })
  const underWay: Promise<unknown>[] = []
  let part = 0
  let body = ''
  const send = async (): Promise<void> => {
    if (underWay.length === 3) await underWay.shift()
    underWay.push(
      ask(`${loads}/${loadId}/objectTypes/${type}/parts/${(part += 1)}`, {
        method: 'PUT',
        body,
        mediaType: 'application/x-ndjson',
      }),
    )
    body = ''
  }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    body += `{"type":"put","properties":${line}}\n`
    if (body.length >= 1024 * 1024) await send()
  }
  await send()
  await Promise.all(underWay)
  const { created = 0, updated = 0, unchanged = 0 } = await ask(`${loads}/${loadId}/finish`)
  const there = created + updated + unchanged
  if (there !== objects) throw new Error(`${there} of ${objects} objects are there`)
  const [after] = await tableNow()
  const way = after?.['oid'] === before?.['oid'] ? 'rows' : 'table'
  if (way !== (replaces ? 'rows' : 'table')) throw new Error(`${type} was filled by way of ${way}`)
}
