import type { ObjectType, Ontology, Store } from '../../../packages/service/test/inside.ts'
import { loadSample } from '../../harness/load-sample.ts'
import { newestVersion } from '../../harness/newest-version.ts'
import { expect } from '../../harness/prove.ts'
import { applySampleType, settle } from '../data/prepare-data.ts'
import type { SpeedRun } from '../run.ts'
import { powersOfTen } from './prove-depth.ts'
import { describePoint, measureBoth, type FlatPoint } from './measure-page.ts'

/** Smallest first; the largest is the collection of the whole run, before any change. */
const smallest = 10_000

/** One block for each level of an index that a page descends; a snapshot also descends the index of the history. */
const mostMore = { latest: 2, snapshot: 4 } as const

export async function proveSize(
  { proof, data }: SpeedRun,
  largest: FlatPoint,
): Promise<readonly FlatPoint[]> {
  const points: FlatPoint[] = []
  await proof.point(
    'A page of a large collection reads at most two more index levels than one of a small collection',
    async () => {
      for (const objects of powersOfTen(smallest, data.objects)) {
        points.push(await measureNewType(data.store, data.ontology, objects))
      }
      points.push(largest)
      for (const point of points) proof.say(describePoint('objects', point))
      const more = (['latest', 'snapshot'] as const).map((mode) => {
        const buffers = points.map((point) => point[mode].buffers)
        const difference = Math.max(...buffers) - (buffers[0] ?? 0)
        expect(difference <= mostMore[mode], `${mode}: ${difference} blocks more`)
        return `${mode} ${difference}`
      })
      return `blocks more for ${data.objects.toLocaleString('en')} objects than for ${smallest.toLocaleString('en')}: ${more.join(', ')}`
    },
  )
  return points
}

async function measureNewType(store: Store, ontology: Ontology, objects: number): Promise<FlatPoint> {
  const type = await applySampleType(store, ontology, `sized${objects}`)
  await loadSample(store, type, { objects, say: () => {} })
  return measureMiddle(store, type, objects)
}

export async function measureMiddle(store: Store, type: ObjectType, objects: number): Promise<FlatPoint> {
  await settle(store, type)
  const before = await newestVersion(store, type)
  return measureBoth(store, { type, before, after: Math.floor(objects / 2), x: objects })
}
