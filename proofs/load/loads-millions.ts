// Loads a large file through the command and HTTP, and the same file directly through the store: how fast, in how much
// memory.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Change, ObjectType } from '../../packages/service/test/inside.ts'
import { longQueue, startService } from '../harness/service-process.ts'
import { putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { runOctavo } from '../harness/octavo-command.ts'
import { writeSampleFile } from './sample-file.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'

const mostMegabytes = 400
const leastRatio = 0.6
const batchBytes = 1024 ** 2

export const proveLoadsMillions = (proof: Proof): Promise<void> =>
  proof.point(
    `A file of ${proof.short ? '100,000' : '5,000,000'} objects is loaded by the command at ${leastRatio} of the store's own rate or more, in less than ${mostMegabytes} MB`,
    () => withServedLoad((served) => loadsMillions(proof, served)),
  )

async function loadsMillions(proof: Proof, served: ServedLoad): Promise<string> {
  const { databaseUrl, store, ontology, folder } = served
  const objects = proof.short ? 100_000 : 5_000_000
  const path = join(folder, 'employees.ndjson')
  await writeSampleFile(path, objects, sampleEmployee)
  proof.say(
    `a file of ${objects.toLocaleString('en')} objects, ${Math.round((await stat(path)).size / 1024 ** 2)} MB`,
  )
  const service = await startService({ databaseUrl: databaseUrl, environment: longQueue })
  const ratios: number[] = []
  let mostMemory = 0
  try {
    for (let round = 1; round <= (proof.short ? 2 : 1); round += 1) {
      const own = await store.applyObjectType(ontology, { ...sampleDefinition, apiName: `own${round}` })
      const ownRate = objects / (await secondsOf(() => loadByStore(served, own, path)))
      const loaded = await store.applyObjectType(ontology, { ...sampleDefinition, apiName: `loaded${round}` })
      const end = await runOctavo(['load', loaded.apiName, path], { url: service.url, folder })
      // The time that a user waits, including the start of the command.
      const rate = objects / (end.milliseconds / 1_000)
      ratios.push(rate / ownRate)
      mostMemory = Math.max(mostMemory, end.mostMemory, service.memory().most)
      proof.say(
        `round ${round}: the store ${ownRate.toFixed(0)}, the command ${rate.toFixed(0)} objects a second, ratio ${(rate / ownRate).toFixed(2)}; command ${end.mostMemory} MB, service ${service.memory().most} MB`,
      )
      await expectEqual(served, own, loaded)
    }
  } finally {
    await service.stop()
  }
  const ratio = ratios.reduce((sum, each) => sum + each, 0) / ratios.length
  expect(mostMemory < mostMegabytes, `the command or the service took ${mostMemory} MB`)
  expect(proof.short || ratio >= leastRatio, `${ratio.toFixed(2)} of the store's own rate`)
  return `${ratio.toFixed(2)} of the store's own rate, command and service at most ${mostMemory} MB each; what it holds is equal, row by row`
}

/** Reads and parses the same file, with batches of the same size and as many in flight. */
async function loadByStore({ store }: ServedLoad, type: ObjectType, path: string): Promise<void> {
  const underWay: Promise<unknown>[] = []
  let changes: Change[] = []
  let bytes = 0
  const send = async (): Promise<void> => {
    if (underWay.length === 3) await underWay.shift()
    underWay.push(store.commit({ parts: [{ type, changes }] }))
    changes = []
    bytes = 0
  }
  for await (const line of createInterface({ input: createReadStream(path) })) {
    changes.push(putOf(type, JSON.parse(line) as Readonly<Record<string, unknown>>))
    bytes += line.length + 30
    if (bytes >= batchBytes) await send()
  }
  await send()
  await Promise.all(underWay)
}

async function expectEqual({ store }: ServedLoad, one: ObjectType, other: ObjectType): Promise<void> {
  const columns = 'pk, scalars, others'
  const [row] = await store.database.rows({
    text: `select (select count(*) from ${one.tables.current}) as objects, (select count(*) from (select ${columns} from ${one.tables.current} except select ${columns} from ${other.tables.current}) x) as missing, (select count(*) from ${other.tables.current}) as loaded`,
    values: [],
  })
  expect(row?.['missing'] === '0' && row['objects'] === row['loaded'], `they differ: ${JSON.stringify(row)}`)
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}
