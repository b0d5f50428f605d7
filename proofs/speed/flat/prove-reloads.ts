import { loadSample } from '../../harness/load-sample.ts'
import { newestVersion } from '../../harness/newest-version.ts'
import { expect } from '../../harness/prove.ts'
import { applySampleType, changeWhere, settle } from '../data/prepare-data.ts'
import type { SpeedRun } from '../run.ts'
import { describePoint, flatPageSize, measureBoth, type FlatPoint } from './measure-page.ts'

const reloads = { short: [0, 1, 3], full: [0, 1, 2, 4, 8] } as const

/**
 * Pages of a state that is not the newest, at the beginning of a collection that was completely changed this often before
 * it.
 */
export async function proveReloads({ proof, data }: SpeedRun): Promise<readonly FlatPoint[]> {
  const { store, ontology } = data
  const objects = proof.short ? 20_000 : 100_000
  const points: FlatPoint[] = []
  await proof.point(
    'However much had changed before, a page reads and discards only earlier states of its objects',
    async () => {
      const type = await applySampleType(store, ontology, 'reloaded')
      await loadSample(store, type, { objects, say: () => {} })
      let edition = 0
      for (const times of reloads[proof.short ? 'short' : 'full']) {
        while (edition < times) {
          edition += 1
          await changeWhere(store, type, { objects, isChanged: () => true, edition })
        }
        const before = await newestVersion(store, type)
        await changeWhere(store, type, {
          objects,
          isChanged: (number) => number === objects - 1,
          edition: -times - 1,
        })
        await settle(store, type)
        const point = await measureBoth(store, { type, before, after: 0, x: times })
        points.push(point)
        proof.say(describePoint('times changed', point))
        expect(
          point.snapshot.rowsRemoved <= times * (flatPageSize + 1),
          `${point.snapshot.rowsRemoved} rows in vain after ${times} reloads`,
        )
      }
      const last = points.at(-1)
      return `after ${last?.x} reloads a page reads ${last?.latest.buffers} blocks, one of the state before ${last?.snapshot.buffers}`
    },
  )
  return points
}
