import { loadSample } from '../../harness/load-sample.ts'
import { newestVersion } from '../../harness/newest-version.ts'
import { expect } from '../../harness/prove.ts'
import { applySampleType, changeWhere, settle } from '../data/prepare-data.ts'
import type { SpeedRun } from '../run.ts'
import { describePoint, flatPageSize, measureBoth, type FlatPoint } from './measure-page.ts'

const percents = { short: [0, 10, 50, 90], full: [0, 10, 25, 50, 90, 100] } as const

/** Pages of the latest state, and of the state before this much of the collection changed. */
export async function proveChurn({ proof, data }: SpeedRun): Promise<readonly FlatPoint[]> {
  const { store, ontology } = data
  const objects = proof.short ? 20_000 : 200_000
  const points: FlatPoint[] = []
  await proof.point(
    'However much has changed since, a page reads and discards at most twice as many rows as it has',
    async () => {
      const type = await applySampleType(store, ontology, 'churned')
      await loadSample(store, type, { objects, say: () => {} })
      const before = await newestVersion(store, type)
      let changed = 0
      for (const percent of percents[proof.short ? 'short' : 'full']) {
        const since = changed
        // 37 is coprime to 100, so the changed objects are spread evenly.
        const isChanged = (number: number) => (number * 37) % 100 >= since && (number * 37) % 100 < percent
        await changeWhere(store, type, { objects, isChanged })
        changed = percent
        await settle(store, type)
        const point = await measureBoth(store, { type, before, after: objects >> 1, x: percent })
        points.push(point)
        proof.say(describePoint('percent changed', point))
      }
      const inVain = Math.max(...points.map(({ snapshot }) => snapshot.rowsRemoved))
      expect(inVain <= 2 * flatPageSize, `${inVain} rows in vain`)
      const last = points.at(-1)
      return `with ${last?.x} % changed a page reads ${last?.latest.buffers} blocks, one of the state before ${last?.snapshot.buffers}`
    },
  )
  return points
}
