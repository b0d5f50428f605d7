// A load that is struck at random moments and resumed each time ends with the contents of the file, each batch applied
// exactly once.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { ObjectType } from '../../packages/service/test/inside.ts'
import {
  batchMemories,
  beginning,
  cutBatches,
  openInput,
  readRecords,
} from '../../packages/cli/test/inside.ts'
import { freePort } from '@octavo/dev-database'
import { expect, type Proof } from '../harness/prove.ts'
import { startCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts'
import { serviceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { startCommand, type OctavoProcess } from '../harness/octavo-command.ts'
import { writeSampleFile } from './sample-file.ts'
import { commonStrikes, strikeCommon } from './strikes.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'

const objects = 6_000
const batchBytes = 16 * 1024
const mostRuns = 20

const definition: ObjectTypeDefinition = {
  apiName: 'struck',
  displayName: 'Struck',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: { id: { type: 'integer' }, edition: { type: 'integer' }, text: { type: 'string' } },
}

/** Keys repeat, near and far: the later record in the file must win. */
const record = (number: number) => ({
  id: (number * 7_919) % 4_500,
  edition: number,
  text: 'How often was this applied? '.repeat(2),
})

const strikes = [...commonStrikes, 'cut the connection'] as const
type Strike = (typeof strikes)[number]

export const proveSurvivesKills = (proof: Proof): Promise<void> =>
  proof.point(
    'If the command, the service or the connection is killed at random moments, the load still ends with exactly the objects of its file, and each batch is applied once',
    () =>
      withServedLoad(async (served) => {
        const port = await freePort()
        const service = serviceProcess({ databaseUrl: served.databaseUrl, port })
        await service.start()
        const proxy = await startCuttingProxy(port)
        try {
          return await survivesKills(proof, { ...served, service, proxy })
        } finally {
          await proxy.close()
          await service.kill()
        }
      }),
  )

interface Struck extends ServedLoad {
  readonly service: ServiceProcess
  readonly proxy: CuttingProxy
}

async function survivesKills(proof: Proof, struck: Struck): Promise<string> {
  const rounds = proof.short ? 5 : 200
  const path = join(struck.folder, 'struck.ndjson')
  await writeSampleFile(path, objects, record)
  const batches = await countBatches(path)
  const counts = new Map<Strike, number>(strikes.map((strike) => [strike, 0]))
  let resumed = 0
  for (let round = 0; round < rounds; round += 1) {
    const type = await struck.store.applyObjectType(struck.ontology, {
      ...definition,
      apiName: `struck${round}`,
    })
    const words = ['load', type.apiName, path, '--batch-bytes', String(batchBytes), '--retry-seconds', '20']
    for (let run = 0; ; run += 1) {
      expect(run < mostRuns, `round ${round} did not end in ${mostRuns} runs`)
      const octavo = startCommand(run === 0 ? words : [...words, '--resume'], {
        url: struck.proxy.url,
        folder: struck.folder,
      })
      // The last runs of a round are not struck, so that every round ends.
      const strike = run < 3 ? strikes[(round + run) % strikes.length] : undefined
      const done = new AbortController()
      const striking = strike === undefined ? false : strikeAt(strike, octavo, struck, done.signal)
      const end = await octavo.ended
      done.abort()
      if (strike !== undefined && (await striking)) counts.set(strike, (counts.get(strike) ?? 0) + 1)
      if (end.code === 0) break
      expect(
        end.code === undefined || end.code === 130 || end.noted.includes('--resume'),
        `round ${round} ended with ${end.code}: ${end.noted}`,
      )
      resumed += 1
    }
    await expectTheFile(struck, type, path)
    await expectCommits(struck, type, batches)
    if (round % 20 === 19) proof.say(`${round + 1} rounds, ${resumed} times resumed`)
  }
  const struckDown = [...counts].map(([strike, count]) => `${strike} ${count}`).join(', ')
  return `${rounds} loads of ${batches} batches, resumed ${resumed} times (${struckDown}): each ended equal to the file, with ${batches} commits`
}

/** Strikes at a random moment of the upload: a random number of bytes after the first. False if the load ended before. */
async function strikeAt(
  strike: Strike,
  octavo: OctavoProcess,
  { proxy, service }: Struck,
  ended: AbortSignal,
): Promise<boolean> {
  const from = proxy.bytesSent() + Math.random() * 700_000
  while (proxy.bytesSent() < from && !ended.aborted) await sleep(1)
  if (ended.aborted) return false
  if (strike === 'cut the connection') proxy.cut(Math.random() * 500)
  else await strikeCommon(strike, octavo, service)
  return true
}

async function countBatches(path: string): Promise<number> {
  const input = await openInput(path, path, process.stdin)
  const records = await readRecords(input, { format: 'ndjson', delimiter: ',', missing: 'empty', definition })
  let count = 0
  const memories = batchMemories(batchBytes, 'put')
  for await (const _ of cutBatches(records, { from: beginning, batchBytes, memories })) count += 1
  return count
}

async function expectTheFile({ store }: Struck, type: ObjectType, path: string): Promise<void> {
  const expected = new Map<string, string>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    if (line === '') continue
    const { id, edition } = JSON.parse(line) as { id: number; edition: number }
    expected.set(String(id), String(edition))
  }
  const rows = await store.database.rows({
    text: `select pk, ('{' || scalars || '}')::json ->> 'edition' as edition from ${type.tables.current}`,
    values: [],
  })
  expect(
    rows.length === expected.size,
    `${type.apiName} has ${rows.length} objects, its file ${expected.size}`,
  )
  const wrong = rows.find(({ pk, edition }) => expected.get(pk ?? '') !== edition)
  expect(wrong === undefined, `${type.apiName} has ${JSON.stringify(wrong)}, not the last of the file`)
}

/** One commit per batch: none twice, and no number missing. */
async function expectCommits({ store }: Struck, type: ObjectType, batches: number): Promise<void> {
  const [row] = await store.database.rows({
    text: `select count(*) as commits, count(distinct idempotency_key) as keys, max(version) as last from ${type.tables.commits} where object_type = $1 and version > 0`,
    values: [type.id],
  })
  const expected = String(batches)
  expect(
    row?.['commits'] === expected && row['keys'] === expected && row['last'] === expected,
    `${type.apiName} has ${JSON.stringify(row)} for ${batches} batches`,
  )
}
