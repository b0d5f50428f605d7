// The end of a load. Into an empty type, its table becomes that of the type: the indexes are built while nobody looks at it, and
// one short transaction gives it the names of the type's own. Into any other type, its rows are written as those of a large batch.
// Every step can be repeated: a process that dies leaves nothing that another one does not find and finish.
import { mediaTypes, type CommitReceipt } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Database } from '../../postgres/database.ts'
import type { Exclusively } from '../../postgres/exclusively.ts'
import type { DeletionLimit } from '../commit/deletion-limit.ts'
import { commitFacts, type CommitSources } from '../commit/write-commit.ts'
import { applyRows } from './apply-rows.ts'
import { buildersAtOnce, buildKey, buildOthers } from './build-indexes.ts'
import { countParts, findLoad, finishingOf, requireSameDefinition, setPhase } from './loads.ts'
import { swapIntoEmpty, type SteppedLoad } from './swap-tables.ts'

export interface FinishSources extends CommitSources {
  readonly exclusively: Exclusively
  /** Has its own connections: building indexes must take none from pages. */
  readonly openApart: () => Database
}

export interface FinishRequest {
  readonly type: ObjectType
  readonly load: string
  readonly maxDeletions?: DeletionLimit | undefined
  /** The subject that makes the commit, for the audit. */
  readonly by?: string | undefined
  /** Called between the steps; a test can end the work there. */
  readonly afterStep?: (step: string) => Promise<void>
}

/** How many connections finishing a load uses at a time. */
export const finishConnections = buildersAtOnce

/** Finishing again answers with the same receipt. */
export async function finishLoad(sources: FinishSources, request: FinishRequest): Promise<CommitReceipt> {
  // What is no load takes neither a lock nor connections, and its id may be no text for PostgreSQL.
  await findLoad(sources.database, request.type, request.load)
  return sources.exclusively(finishingOf(request.load), async () => {
    const apart = sources.openApart()
    try {
      return await finishAlone({ ...sources, database: apart }, request)
    } finally {
      await apart.close()
    }
  })
}

async function finishAlone(sources: FinishSources, request: FinishRequest): Promise<CommitReceipt> {
  const { database } = sources
  const { type, load, afterStep = async () => {} } = request
  const known = await findLoad(database, type, load)
  if (known.receipt !== undefined) return { ...known.receipt, replayed: true }
  await requireSameDefinition(database, type, known)
  // From here on no part is added: this waits for those that are being written.
  await setPhase(database, type, load, 'indexing')
  await afterStep('closed')
  const { parts, largest } = await countParts(database, type, load)
  if (parts === 0) throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.ndjson })

  const facts = commitFacts(sources, { by: request.by })
  const finished = { type, load: known, largest, facts, afterStep, maxDeletions: request.maxDeletions }
  const receipt = (await isStillEmpty(database, type, known.version))
    ? await fillEmpty(database, finished)
    : undefined
  if (receipt !== undefined) return receipt
  await setPhase(database, type, load, 'committing')
  return applyRows(database, finished)
}

async function fillEmpty(database: Database, finished: SteppedLoad): Promise<CommitReceipt | undefined> {
  const { type, load, afterStep } = finished
  const building = { type, load: load.load, afterStep }
  await buildKey(database, building)
  await buildOthers(database, building)
  await setPhase(database, type, load.load, 'committing')
  return swapIntoEmpty(database, finished)
}

/** Whether it is worth building indexes: the swap checks it again when nobody can change it any more. */
async function isStillEmpty(database: Database, type: ObjectType, version: string): Promise<boolean> {
  const rows = await database.rows({
    text: `select 1 from ${type.tables.clock} where object_type = $1 and live = 0 and version + 1 = $2`,
    values: [type.id, version],
  })
  return rows.length === 1
}
