// A mixed load at a modest rate for the given time; what could grow is measured throughout.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { struckDefinition } from '../harness/faults/fault-objects.ts'
import { startInstances } from '../harness/faults/instances.ts'
import { startMixedLoad } from '../harness/faults/mixed-load.ts'
import { judgeFlatness, type Allowance } from './flatness.ts'
import { measure, type Measures } from './measures.ts'

const apiFamily = 'proof'

interface Soak {
  readonly seconds: number
  /** The time until caches are filled and the first snapshots are pruned. */
  readonly warmUpSeconds: number
  readonly sampleEverySeconds: number
  readonly allowances: readonly Allowance[]
}

const allowances = (memoryTimes: number): readonly Allowance[] => [
  { name: 'memoryMegabytes', unit: 'MB', times: memoryTimes, more: 10 },
  { name: 'connections', unit: '', times: 1, more: 3 },
  { name: 'historyRows', unit: '', times: 1.3, more: 500 },
  { name: 'historyKilobytes', unit: 'kB', times: 1.3, more: 1_024 },
  { name: 'currentKilobytes', unit: 'kB', times: 1.3, more: 512 },
  { name: 'bytesARow', unit: 'bytes', times: 1.3, more: 200 },
]

// In three minutes the heap of V8 has not reached its usual size yet: a little more is allowed.
const soakOf = (short: boolean, minutes: number): Soak =>
  short
    ? { seconds: 165, warmUpSeconds: 60, sampleEverySeconds: 3, allowances: allowances(1.2) }
    : {
        seconds: minutes * 60,
        warmUpSeconds: Math.min(600, minutes * 15),
        sampleEverySeconds: 10,
        allowances: allowances(1.1),
      }

export const proveStaysFlat = (proof: Proof): Promise<void> =>
  proof.point('Under mixed load, memory, connections, history and tables stop growing', () =>
    staysFlat(proof),
  )

async function staysFlat(proof: Proof): Promise<string> {
  const soak = soakOf(proof.short, Number(proof.given['minutes']))
  const seed = Date.now() % 1_000_000
  proof.say(`seed ${seed}`)
  // Default settings, except that autovacuum runs often enough to be seen in the short form.
  const cluster = await startCluster({ settings: { autovacuum_naptime: proof.short ? '5s' : '1min' } })
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url, databasePoolSize: 4 }))
    const ontology = await store.applyOntology({
      apiName: 'proof',
      displayName: 'Proof',
      apiFamilies: [apiFamily],
    })
    const type = await store.applyObjectType(ontology, struckDefinition)
    const instances = await startInstances(cluster.url, { OCTAVO_SNAPSHOT_RETENTION_SECONDS: '300' })
    try {
      const load = await startMixedLoad({
        url: `http://127.0.0.1:${instances.port}`,
        ontologyRid: ontology.rid,
        apiFamily,
        type,
        store,
        seed,
        pauseMilliseconds: 300,
        pagePauseMilliseconds: 150,
        // A retention of minutes would not end within the short form.
        ...(proof.short && { pruning: { retentionSeconds: 15, everyMilliseconds: 1_000 } }),
      })
      const samples: Measures[] = []
      const from = performance.now()
      const rows = 12
      let said = 0
      proof.say('minute  MB  connections  history rows  history kB  objects kB  commits  walks')
      for (;;) {
        const seconds = (performance.now() - from) / 1_000
        if (seconds > soak.seconds) break
        load.throwIfFailed()
        const sample = await measure(
          store,
          type,
          instances.each.map(({ pid }) => pid),
          seconds,
        )
        samples.push(sample)
        if (seconds >= (said * soak.seconds) / rows) {
          said += 1
          const { commits, snapshotWalks, latestWalks } = load.tally
          proof.say(rowOf(sample, commits, snapshotWalks + latestWalks))
        }
        await sleep(soak.sampleEverySeconds * 1_000)
      }
      await load.end()
      const { tally } = load
      expect(tally.wrong.length === 0, `${tally.wrong.length} walks were not exact: ${tally.wrong[0]}`)
      const failed = [...tally.unanswered, ...tally.interrupted]
      expect(failed.length === 0, `requests failed without a fault: ${JSON.stringify(failed)}`)
      const measured = samples.filter(({ seconds }) => seconds > soak.warmUpSeconds)
      const judged = soak.allowances.map((allowance) => judgeFlatness(measured, allowance))
      const figures = judged.map(
        ({ allowance: { name, unit }, first, last }) =>
          `${name} ${Math.round(first)} then ${Math.round(last)} ${unit}`,
      )
      const grown = judged.filter(({ isFlat }) => !isFlat).map(({ allowance }) => allowance.name)
      expect(grown.length === 0, `${grown.join(', ')} did not end flat: ${figures.join('; ')}`)
      return `${tally.commits} commits, ${tally.snapshotWalks + tally.latestWalks} walks of ${tally.objects.toLocaleString('en')} objects, none wrong; ${figures.map((figure) => figure.trim()).join('; ')}`
    } finally {
      await instances.stop()
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}

const rowOf = (sample: Measures, commits: number, walks: number): string =>
  [
    (sample.seconds / 60).toFixed(1).padStart(6),
    sample.memoryMegabytes.toFixed(0).padStart(4),
    String(sample.connections).padStart(12),
    String(sample.historyRows).padStart(13),
    sample.historyKilobytes.toFixed(0).padStart(11),
    sample.currentKilobytes.toFixed(0).padStart(11),
    String(commits).padStart(8),
    String(walks).padStart(6),
  ].join(' ')
