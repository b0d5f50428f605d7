import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Catalog } from '../../catalog/open-catalog.ts'
import type { ReadClockLead } from './clock-lead.ts'
import type { LoadTimes } from './prune-loads.ts'
import type { Pruned, PruneTimes } from './prune.ts'

/** What pruning needs from the database. */
export interface PruneStore {
  readonly catalog: Catalog
  readonly clockLead: ReadClockLead
  readonly prune: (type: ObjectType, times: PruneTimes) => Promise<Pruned>
  /** Deletes idempotency keys that are older than `keptSeconds`. */
  readonly pruneKeys: (ontology: Ontology, keptSeconds: number) => Promise<number>
  /** Removes loads that were abandoned; returns how many. */
  readonly pruneLoads: (ontology: Pick<Ontology, 'schema'>, times: LoadTimes) => Promise<number>
  /** Deletes what unfinished batches have left behind, if they began more than `keptSeconds` ago. */
  readonly pruneStaged: (ontology: Pick<Ontology, 'schema'>, keptSeconds: number) => Promise<number>
}
