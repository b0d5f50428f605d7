// Readers, each of which reads in any way, one after another.
import type { Run } from '../run.ts'
import { defaultMode } from './default-mode.ts'
import { links } from './links.ts'
import { list } from './list.ts'
import { aggregate, count } from './numbers.ts'
import { objectSets } from './object-sets.ts'
import { parts } from './parts.ts'
import { stream } from './stream.ts'
import { versions } from './versions.ts'
import { walk } from './walk.ts'

const reads = [walk, stream, parts, count, aggregate, versions, list, defaultMode, objectSets, links]

export async function keepReading(run: Run): Promise<void> {
  while (run.isGoingOn()) {
    await run.turn()
    const read = run.chance.one(reads)
    run.count(`read ${read.name}`)
    await read(run).catch((error: unknown) => run.violation(`a reader failed: ${read.name}`, String(error)))
  }
}
