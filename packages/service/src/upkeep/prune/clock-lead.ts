// How far the clock of the database is ahead of what this process can vouch for. A clock that is set ahead makes what was written
// seconds ago look old, so everything is kept longer by as much. Our own clocks can only lengthen that time, never shorten it.
import type { Ontology } from '../../catalog/ontology.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'

export interface OwnClocks {
  readonly now: () => Date
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number
}

/** In seconds; 0 where the clock of the database is right or behind. */
export type ReadClockLead = (ontology: Pick<Ontology, 'schema'>) => Promise<number>

interface Reading {
  readonly theirs: number
  readonly elapsed: number
  /** The steps ahead that were seen since this process began, less those back. */
  readonly stepped: number
}

/** Clocks drift, and answers take time; only more than this between two readings is a step. */
const leastStep = 1

export function clockLead(
  databaseOf: (ontology: Pick<Ontology, 'schema'>) => SchemaDatabase,
  own: OwnClocks,
): ReadClockLead {
  const last = new Map<string, Reading>()
  return async (ontology) => {
    const theirs = await readClock(databaseOf(ontology))
    const elapsed = own.elapsed() / 1_000
    const before = last.get(ontology.schema) ?? { theirs, elapsed, stepped: 0 }
    const step = theirs - before.theirs - (elapsed - before.elapsed)
    const stepped = Math.max(0, before.stepped + (Math.abs(step) > leastStep ? step : 0))
    last.set(ontology.schema, { theirs, elapsed, stepped })
    return Math.max(0, stepped, theirs - own.now().getTime() / 1_000)
  }
}

async function readClock(database: SchemaDatabase): Promise<number> {
  const [row] = await database.rows({ text: 'select extract(epoch from now()) as seconds', values: [] })
  return Number(row?.['seconds'])
}
