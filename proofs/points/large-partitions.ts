// What a split of a large collection costs, and how much faster its partitions are read side by side.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createClient } from '@octavo/client'
import {
  contentHash,
  everything,
  partitionCollection,
  type Database,
  type ObjectType,
  type Store,
} from '../../packages/service/test/inside.ts'
import { putItems } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { median } from '../harness/statistics.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { readPlan } from '../harness/read-plan.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { keyedType } from './key-collections.ts'

const readers = 4

export async function proveLargePartitions(proof: Proof): Promise<void> {
  const objects = proof.short ? 100_000 : 10_000_000
  const read = proof.short ? 100_000 : 5_000_000
  await withServedCollection(
    async (served) => {
      const large = await fill(served, 'large', objects)
      await proof.point(
        `A split of ${objects.toLocaleString('en')} objects looks at 40 rows for each partition, whatever their number`,
        () => showCost(proof, served, large),
      )
      const name = read === objects ? large.apiName : (await fill(served, 'half', read)).apiName
      await proof.point(
        `${readers} readers of partitions of ${read.toLocaleString('en')} objects against one walk: the factor`,
        () => showFactor(proof, served, name),
      )
    },
    { OCTAVO_WORKERS: '2' },
  )
}

/** Written directly into the table: the measurement does not depend on how the rows got there. */
async function fill(
  { store, ontology }: ServedCollection,
  apiName: string,
  objects: number,
): Promise<ObjectType> {
  const type = await store.applyObjectType(ontology, keyedType(apiName, 'long'))
  await putItems(store, type, [{ key: '0', edition: 1 }])
  const { current, clock, commits } = type.tables
  const { run } = store.database
  // Keys in no order: a step of a prime number, round and round.
  await run(`insert into ${current} (pk, version_from, scalars, p1)
select key, 1, '"edition":1,"key":"' || key || '","text":"' || repeat(md5(key::text), 9) || '"', 0
from (select n::bigint * 7919 % 10000019 as key from generate_series(1, ${objects - 1}) as n) as keys`)
  await run(`update ${clock} set live = ${objects}, largest = 400 where object_type = ${type.id}`)
  await run(
    `update ${commits} set live = ${objects}, checksum = mod(checksum + ${sumOfHashes(objects)}, ${2n ** 64n})
where object_type = ${type.id} and version = 1`,
  )
  await run(`vacuum (analyze) ${current}`)
  return type
}

/** The sum of the hashes of the objects that are written directly: readers compare it with what they have received. */
function sumOfHashes(objects: number): bigint {
  let sum = 0n
  for (let n = 1; n < objects; n += 1) {
    const key = String((n * 7919) % 10000019)
    const text = createHash('md5').update(key).digest('hex').repeat(9)
    sum += contentHash(`{"primaryKey":"${key}","properties":{"edition":1,"key":"${key}","text":"${text}"}}`)
  }
  return BigInt.asUintN(64, sum)
}

async function showCost(proof: Proof, { store, url }: ServedCollection, type: ObjectType): Promise<string> {
  const objects = createClient({ url, token: testToken }).family('proof').objects(type.apiName)
  const costs: string[] = []
  for (const partitionCount of [4, 16, 64]) {
    const milliseconds: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now()
      const split = await objects.partitions(partitionCount)
      milliseconds.push(performance.now() - startedAt)
      expect(
        split.partitions.length === partitionCount,
        `${split.partitions.length} partitions instead of ${partitionCount}`,
      )
    }
    const blocks = await blocksOf(store, type, partitionCount)
    // The rows, and what finds out how many blocks there are.
    expect(blocks <= 40 * partitionCount + 20, `${blocks} blocks for ${partitionCount} partitions`)
    costs.push(`${partitionCount} partitions ${median(milliseconds).toFixed(1)} ms, ${blocks} blocks`)
    proof.say(costs.at(-1) ?? '')
  }
  return costs.join('; ')
}

async function blocksOf({ database }: Store, type: ObjectType, partitionCount: number): Promise<number> {
  let blocks = 0
  const reader = database.holding(type.schema)
  const watched: Pick<Database, 'holding' | 'isCitus'> = {
    isCitus: database.isCitus,
    holding: () => ({
      ...reader,
      rows: async (query) => {
        const text = `explain (analyze, buffers, format json) ${query.text}`
        const [row] = await reader.rows({ ...query, text })
        blocks += readPlan(JSON.parse(row?.['QUERY PLAN'] ?? '[]')).buffers
        return reader.rows(query)
      },
    }),
  }
  await partitionCollection(watched, type, { at: { kind: 'latest' }, filter: everything, partitionCount })
  return blocks
}

interface ReaderReport {
  readonly objects: number
  readonly startedAt: number
  readonly endedAt: number
  readonly cpuSeconds: number
}

/** Each reader is a separate process, as in production. */
async function readElsewhere(url: string, walk: string): Promise<ReaderReport> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@octavo/source',
      fileURLToPath(import.meta.resolve('./read-partition.ts')),
      url,
      testToken,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  child.stdin.end(walk)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect(code === 0, `a reader ended with ${code}`)
  return JSON.parse(text) as ReaderReport
}

async function showFactor(proof: Proof, { url }: ServedCollection, apiName: string): Promise<string> {
  const objects = createClient({ url, token: testToken }).family('proof').objects(apiName)
  const rounds = proof.short ? 1 : 2
  const factors: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const [one, several] = [
      await timed(proof, 'one walk', url, [objects.all({ snapshot: true }).save()]),
      await timed(
        proof,
        `${readers} partitions`,
        url,
        (await objects.partitions(readers)).partitions.map((partition) => partition.save()),
      ),
    ]
    expect(
      one.objects === several.objects,
      `${several.objects} objects in partitions, ${one.objects} in one walk`,
    )
    factors.push(one.seconds / several.seconds)
  }
  return `${median(factors).toFixed(2)} times as fast, in the median of ${rounds}`
}

async function timed(proof: Proof, name: string, url: string, walks: readonly string[]) {
  const reports = await Promise.all(walks.map((walk) => readElsewhere(url, walk)))
  // Without the start of the processes, which would take longer than the reading of a short run.
  const startedAt = Math.min(...reports.map((report) => report.startedAt))
  const seconds = (Math.max(...reports.map((report) => report.endedAt)) - startedAt) / 1_000
  const objects = reports.reduce((sum, report) => sum + report.objects, 0)
  const cpu = reports.reduce((sum, report) => sum + report.cpuSeconds, 0)
  proof.say(
    `${name}: ${objects.toLocaleString('en')} objects in ${seconds.toFixed(1)} s, ${Math.round(objects / seconds).toLocaleString('en')} /s; the readers took ${cpu.toFixed(1)} s of processor time`,
  )
  return { objects, seconds }
}
