// A large file, loaded into an empty type and then replaced by another, while the command, the service or PostgreSQL is killed at
// random moments: the type has all of the old contents or all of the new, and nothing else is left.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@octavo/dev-database'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { pruneStaged, type ObjectType } from '../../packages/service/test/inside.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { serviceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { startCommand, type OctavoProcess } from '../harness/octavo-command.ts'
import { writeSampleFile } from './sample-file.ts'
import { commonStrikes, strikeCommon } from './strikes.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'

/** More than 8 MiB, which the command sends as a load. */
const objects = 22_000
const mostRuns = 20
/** Strikes in a round; the runs after them are left alone, so that every round ends. */
const strikesARound = 2

const definition: ObjectTypeDefinition = {
  apiName: 'whole',
  displayName: 'Whole',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'integer' },
    edition: { type: 'integer', sortable: true },
    text: { type: 'string', searchable: true },
  },
}

const record = (edition: number) => (number: number) => ({
  id: number,
  edition,
  text: `${'Is this whole or in parts? '.repeat(14)}${number % 100}`,
})

const strikes = [...commonStrikes, 'kill PostgreSQL'] as const
type Strike = (typeof strikes)[number]

export const proveLoadsSurviveKills = (proof: Proof): Promise<void> =>
  proof.point(
    'If the command, the service or PostgreSQL is killed while a type is loaded or replaced as a whole, it has its old contents or its new ones, and nothing is left behind',
    () =>
      withServedLoad(async (served) => {
        const port = await freePort()
        const service = serviceProcess({ databaseUrl: served.databaseUrl, port })
        await service.start()
        try {
          return await surviveKills(proof, { ...served, service, url: `http://127.0.0.1:${port}` })
        } finally {
          await service.kill()
        }
      }),
  )

interface Struck extends ServedLoad {
  readonly service: ServiceProcess
  readonly url: string
}

async function surviveKills(proof: Proof, struck: Struck): Promise<string> {
  const rounds = proof.short ? 2 : 50
  const files = await Promise.all(
    [1, 2].map(async (edition) => {
      const path = join(struck.folder, `edition${edition}.ndjson`)
      await writeSampleFile(path, objects, record(edition))
      return path
    }),
  )
  const counts = new Map<Strike, number>(strikes.map((strike) => [strike, 0]))
  let strike = 0
  let asTables = 0
  for (let round = 0; round < rounds; round += 1) {
    const type = await struck.store.applyObjectType(struck.ontology, {
      ...definition,
      apiName: `whole${round}`,
    })
    let tableBefore = ''
    for (const [i, path] of files.entries()) {
      tableBefore = await tableOf(struck, type)
      const words =
        i === 0
          ? ['load', type.apiName, path, '--retry-seconds', '30']
          : ['replace', type.apiName, path, '--yes', '--retry-seconds', '30']
      for (let run = 0; ; run += 1) {
        expect(run < mostRuns, `round ${round} did not end in ${mostRuns} runs`)
        const octavo = startCommand(i === 0 && run > 0 ? [...words, '--resume'] : words, struck)
        const chosen = run < strikesARound ? strikes[strike++ % strikes.length] : undefined
        const ended = new AbortController()
        const watched = watchContents(struck, type, [i, i + 1], ended.signal)
        const striking = chosen === undefined ? false : strikeAt(chosen, octavo, struck, ended.signal)
        const end = await octavo.ended
        ended.abort()
        if (chosen !== undefined && (await striking)) counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
        await watched
        if (end.code === 0) break
      }
      expect(
        (await editionsOf(struck, type)) === `${objects} of ${i + 1}`,
        `round ${round} has other contents`,
      )
    }
    expect(
      (await editionsOf(struck, type, 'history')) === `${objects} of 1`,
      `round ${round} has another history`,
    )
    if ((await tableOf(struck, type)) !== tableBefore) asTables += 1
    await expectNothingLeft(struck)
    if (round % 10 === 9) proof.say(`${round + 1} rounds`)
  }
  expect(asTables > 0, 'no replacement made new tables')
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const each = [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  return `${rounds} loads and ${rounds} replacements of ${objects.toLocaleString('en')} objects (${asTables} as tables), ${total} strikes (${each}): old or new each time it was looked at, and nothing left`
}

/** A run takes about three seconds: a second to start, one to send, one to build and commit. False if it ended before. */
async function strikeAt(
  strike: Strike,
  octavo: OctavoProcess,
  { cluster, service }: Struck,
  ended: AbortSignal,
): Promise<boolean> {
  await sleep(500 + Math.random() * 3_000, undefined, { signal: ended }).catch(() => {})
  if (ended.aborted) return false
  if (strike !== 'kill PostgreSQL') await strikeCommon(strike, octavo, service)
  else {
    await cluster.kill()
    await cluster.start()
  }
  return true
}

/** Looks at the contents again and again: all objects of one edition, or none before the first. */
async function watchContents(
  struck: Struck,
  type: ObjectType,
  [before, after]: readonly [number, number],
  ended: AbortSignal,
): Promise<void> {
  const expected = new Set([before === 0 ? 'nothing' : `${objects} of ${before}`, `${objects} of ${after}`])
  while (!ended.aborted) {
    // While PostgreSQL is down, there is nothing to see.
    const seen = await editionsOf(struck, type).catch(() => undefined)
    expect(seen === undefined || expected.has(seen), `${type.apiName} has ${seen}`)
    await sleep(100)
  }
}

async function editionsOf(
  { store }: Struck,
  type: ObjectType,
  side: 'current' | 'history' = 'current',
): Promise<string> {
  const column = type.columns.find(({ property, role }) => property === 'edition' && role === 'value')?.name
  const rows = await store.database.rows({
    text: `select ${column} as edition, count(*) as objects from ${type.tables[side]} group by 1 order by 1`,
    values: [],
  })
  return rows.map((row) => `${row['objects']} of ${row['edition']}`).join(' and ') || 'nothing'
}

/** Changes with a replacement that makes a new table. */
async function tableOf({ store }: Struck, { tables }: ObjectType): Promise<string> {
  const [row] = await store.database.rows({
    text: 'select $1::regclass::oid as table',
    values: [tables.current],
  })
  return row?.['table'] ?? ''
}

/** After the next prune: no table and no row of a load, and no staged row. */
async function expectNothingLeft({ store, ontology }: Struck): Promise<void> {
  const at = Date.now() + 30_000
  for (;;) {
    await store.pruneLoads(ontology, { unfinishedSeconds: 0, receiptSeconds: 0 })
    await pruneStaged(store.database, ontology, 0)
    const [row] = await store.database.rows({
      text: `select (select count(*) from ${ontology.schema}.loads) + (select count(*) from ${ontology.schema}.load_parts) + (select count(*) from ${ontology.schema}.staged)
  + (select count(*) from pg_tables where schemaname = $1 and tablename like 'load\\_%' and tablename <> 'load_parts') as left`,
      values: [ontology.schema],
    })
    if (row?.['left'] === '0') return
    // A server process may still write for a command that is gone.
    expect(Date.now() < at, `${row?.['left']} rows and tables are left`)
    await sleep(500)
  }
}
