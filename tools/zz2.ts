import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { openTestStore } from '../packages/service/src/testing/open-test-store.ts'
import { loadSample, putOf } from './prove-store/load-sample.ts'
import { applyChanges } from '../packages/service/src/commit/compile-commit.ts'
import { sampleDefinition, sampleEmployee } from './prove-store/sample-employees.ts'
const cluster = await startCluster({ durable: true, settings: { shared_buffers: '1GB', max_wal_size: '8GB' } })
const store = openTestStore({ databaseUrl: cluster.url, statementTimeoutSeconds: 600 })
await migrateDatabase(cluster.url, () => {})
const ontology = await store.applyOntology({ apiName: 'plans', displayName: 'Plans' })
const type = await store.applyObjectType(ontology, {...sampleDefinition, orders: []})
await loadSample(store, type, { objects: 100000, say: console.log })
const changes = Array.from({length:5000},(_,i)=>putOf(type, sampleEmployee(100000+i)))
const q = applyChanges(type, changes, {committedAt:'2026-01-01T00:00:00', tag:'x'})
const rows = await store.database.rows({text:'explain (analyze, buffers) '+q.text, values:q.values})
console.log(rows.map(r=>r['QUERY PLAN']).join('\n').replaceAll(/\{.{300,}?\}/g,'{…}'))
await store.database.close(); await cluster.stop()
