import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { openTestStore } from '../packages/service/src/testing/open-test-store.ts'
import { loadSample, putOf } from './prove-store/load-sample.ts'
import { sampleDefinition, sampleEmployee } from './prove-store/sample-employees.ts'
import { execFileSync } from 'node:child_process'
const cluster = await startCluster({ durable: true, settings: { shared_buffers: '1GB', max_wal_size: '8GB' } })
const store = openTestStore({ databaseUrl: cluster.url, statementTimeoutSeconds: 600 })
await migrateDatabase(cluster.url, () => {})
const ontology = await store.applyOntology({ apiName: 'plans', displayName: 'Plans' })
const type = await store.applyObjectType(ontology, {...sampleDefinition, orders: []})
const N = 300000
let t = performance.now()
for (let i = 0; i < N; i++) putOf(type, sampleEmployee(i))
console.log('canonicalise alone', Math.round(N / (performance.now() - t) * 1000), '/s')
t = performance.now()
await loadSample(store, type, { objects: N, say: console.log })
const load = N / (performance.now() - t) * 1000
console.log('load', Math.round(load))
const psql = (sql: string) => execFileSync(cluster.binFolder + '/psql', [cluster.url, '-q', '-c', sql])
psql(`create table c1 (like ${type.tables.current} including all)`)
psql(`\\copy ${type.tables.current} to '/tmp/c1.txt'`)
t = performance.now()
psql(`\\copy c1 from '/tmp/c1.txt'`)
const copy = N / (performance.now() - t) * 1000
console.log('copy', Math.round(copy), 'ratio', load / copy)
await store.database.close(); await cluster.stop()
