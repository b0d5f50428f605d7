// Readers, each of which reads in any way, one after another.
import type { Run } from '../run.ts'
import { defaultMode } from './default-mode.ts'
import { links } from './links.ts'
import { list } from './list.ts'
import { aggregate, count } from './numbers.ts'
import { objectSets } from './object-sets.ts'
import { partitions } from './partitions.ts'
import { stream } from './stream.ts'
import { versions } from './versions.ts'
import { walk, walkHeldUp } from './walk.ts'

const anyReads = [walk, stream, partitions, count, aggregate, versions, list, defaultMode, objectSets, links]

type Read = (run: Run) => Promise<void>

export const keepReading = (run: Run): Promise<void> => keepOn(run, anyReads)
/** By itself, because most of its time it waits. */
export const keepWalkingHeldUp = (run: Run): Promise<void> => keepOn(run, [walkHeldUp])

async function keepOn(run: Run, reads: readonly Read[]): Promise<void> {
  while (run.isGoingOn()) {
    await run.turn()
    const read = run.chance.one(reads)
    run.count(`read ${read.name}`)
    await read(run).catch((error: unknown) => run.violation(`a reader failed: ${read.name}`, String(error)))
  }
}
