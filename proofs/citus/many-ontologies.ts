// Ten thousand ontologies of two types each: what it costs to make one more, to find one and to read a page, and what a backend
// and the service hold in memory.
import { readFile } from 'node:fs/promises'
import { startCitus, type CitusCluster } from '@octavo/dev-database'
import { migrateDatabase, openClusterManagement } from '@octavo/service'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { readPage } from './read-page.ts'

const atOnce = 4

export const proveManyOntologies = (proof: Proof): Promise<void> => {
  const count = proof.short ? 20 : Number(proof.given['ontologies'] ?? 10_000)
  return proof.point(`With ${count.toLocaleString('en')} ontologies of two types each`, async () => {
    const citus = await startCitus({
      workers: 2,
      settings: { max_locks_per_transaction: '1024', max_wal_size: '8GB' },
    })
    const store = openTestStore({ databaseUrl: citus.url, databasePoolSize: 8 })
    try {
      await migrateDatabase(citus.url, () => {})
      return await showMany(proof, { citus, store, count })
    } finally {
      await store.database.close()
      await citus.stop()
    }
  })
}

interface Many {
  readonly citus: CitusCluster
  readonly store: Store
  readonly count: number
}

async function showMany(proof: Proof, { citus, store, count }: Many): Promise<string> {
  const types: ObjectType[] = []
  const make = async (number: number) => {
    const ontology = await store.applyOntology({ apiName: `many-${number}`, displayName: `Many ${number}` })
    for (const apiName of ['employee', 'second']) {
      types.push(await store.applyObjectType(ontology, { ...sampleDefinition, apiName, orders: [] }))
    }
  }
  let extra = count
  const oneMore = async (): Promise<number> => {
    const before = performance.now()
    await make((extra += 1))
    return performance.now() - before
  }
  let next = 0
  const since = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const number = (next += 1)
        await make(number)
        if (number % 500 === 0) {
          const seconds = (performance.now() - since) / 1_000
          proof.say(
            `${number} ontologies after ${seconds.toFixed(0)} s; one more takes ${(await oneMore()).toFixed(0)} ms`,
          )
        }
      }
    }),
  )
  const more = await oneMore()
  const changes = Array.from({ length: 100 }, (_, i) => i)
  const sample = types.filter((_type, i) => i % Math.ceil(types.length / 200) === 0)
  for (const type of sample) {
    const parts = [{ type, changes: changes.map((number) => putOf(type, sampleEmployee(number))) }]
    await store.commit({ parts })
  }
  const fresh = openTestStore({ databaseUrl: citus.url, databasePoolSize: 8 })
  try {
    const begun = performance.now()
    const ontologies = await fresh.catalog.ontologies()
    const found = performance.now() - begun
    expect(ontologies.length >= count, `${ontologies.length} ontologies are there`)
    const first = performance.now()
    for (const type of sample) await readPage(fresh, type, { from: '', size: 100 })
    const firstPage = (performance.now() - first) / sample.length
    const again = performance.now()
    for (const type of sample) await readPage(fresh, type, { from: '', size: 100 })
    const nextPage = (performance.now() - again) / sample.length
    const backend = await largestBackend(citus)
    const management = openClusterManagement(citus.url)
    const nodes = await management.nodes()
    await management.close()
    const megabytes = process.memoryUsage().rss / 1e6
    return (
      `one more takes ${more.toFixed(0)} ms; a new process knows all after ${found.toFixed(0)} ms; the first page of a type takes ` +
      `${firstPage.toFixed(1)} ms, the next ${nextPage.toFixed(1)} ms; the largest backend has ${backend.toFixed(0)} private MB, this process ${megabytes.toFixed(0)} MB; ` +
      `ontologies by node: ${nodes.map((node) => node.ontologyCount).join(', ')}`
    )
  } finally {
    await fresh.database.close()
  }
}

/** Memory that no other process shares, of the largest process of each server's. */
async function largestBackend(citus: CitusCluster): Promise<number> {
  let most = 0
  for (const node of [citus.coordinator, ...citus.workers()]) {
    const store = openTestStore({ databaseUrl: node.databaseUrl('octavo'), databasePoolSize: 1 })
    const rows = await store.database.rows({
      text: "select pid from pg_stat_activity where backend_type = 'client backend'",
      values: [],
    })
    await store.database.close()
    for (const { pid } of rows) {
      const smaps = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      const [, kilobytes = '0'] = /Private_Dirty:\s+(\d+)/.exec(smaps) ?? []
      most = Math.max(most, Number(kilobytes) / 1_024)
    }
  }
  return most
}
