import {
  createIndex,
  indexName,
  type ObjectType,
  type Store,
  tableSides,
} from '../../packages/service/test/inside.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { costObject } from './cost-sample.ts'

export interface LoadOptions {
  readonly objects: number
  readonly say: (line: string) => void
}

/** Indexes are created after the objects: how they were built does not affect what a page reads, only the waiting time. */
export async function loadCostSample(
  store: Store,
  type: ObjectType,
  { objects, say }: LoadOptions,
): Promise<void> {
  const { database } = store
  const each = type.indexes.flatMap((index) => tableSides.map((side) => ({ index, side })))
  for (const { index, side } of each) {
    await database.run(`drop index ${type.schema}.${indexName(type, index, side)}`)
  }
  const atOnce = 5_000
  const inFlight: Promise<unknown>[] = []
  for (let from = 0; from < objects; from += atOnce) {
    const changes = Array.from({ length: Math.min(atOnce, objects - from) }, (_, i) =>
      putObject(type, costObject(from + i, objects)),
    )
    if (inFlight.length === 2) await inFlight.shift()
    inFlight.push(store.commit({ parts: [{ type, changes }] }))
    if (from > 0 && from % 500_000 === 0) say(`${from.toLocaleString('en')} objects loaded`)
  }
  await Promise.all(inFlight)
  for (const { index, side } of each)
    await database.run(createIndex(type, index, side, { concurrently: false }))
  for (const side of tableSides) await database.run(`vacuum analyze ${type.tables[side]}`)
}
