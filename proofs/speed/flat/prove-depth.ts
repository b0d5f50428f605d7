import { expect } from '../../harness/prove.ts'
import type { SpeedRun } from '../run.ts'
import { describePoint, flatPageSize, measureBoth, type FlatPoint } from './measure-page.ts'

/** From the first page to the last, in a collection of which a tenth has changed. */
export async function proveDepth({ proof, data }: SpeedRun): Promise<readonly FlatPoint[]> {
  const { store, type, before, objects } = data
  const points: FlatPoint[] = []
  await proof.point('The deepest page reads at most 1.1 times the blocks of the first', async () => {
    const deepest = objects - 4 * flatPageSize
    const depths = [1, ...powersOfTen(1_000, deepest), Math.floor(deepest / 2), deepest]
    for (const x of depths.toSorted((a, b) => a - b)) {
      const point = await measureBoth(store, { type, before, after: x - 1, x })
      points.push(point)
      proof.say(describePoint('depth', point))
    }
    const ratios = (['latest', 'snapshot'] as const).map((mode) => {
      const ratio = Math.max(...points.map((point) => point[mode].buffers)) / (points[0]?.[mode].buffers ?? 0)
      expect(ratio <= 1.1, `${mode}: ${ratio.toFixed(3)} times`)
      return `${mode} ${ratio.toFixed(3)}`
    })
    return ratios.join(', ')
  })
  return points
}

export const powersOfTen = (from: number, below: number): readonly number[] =>
  from >= below ? [] : [from, ...powersOfTen(from * 10, below)]
