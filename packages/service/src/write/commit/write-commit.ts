import { wireTime } from '../../base/value/column-time.ts'
import type { CommitReceipt, SourcePosition } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { sourceOfCommit } from '../../catalog/source-positions.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Database, Row } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { lastChanges, valuesOf, type TypeChanges } from './change.ts'
import { countsOf } from './commit-counts.ts'
import type { CommitQueue } from './commit-queue.ts'
import { applyTogether } from './apply-commits.ts'
import type { CommitFacts } from './commit-parts.ts'
import { readReceipt } from './commit-statements.ts'
import { givenChanges } from './given-objects.ts'
import { AlreadyApplied, requireStep, sourceAfter, type WantedMove } from './move-source.ts'

/** What a commit needs besides the database: a source of unique tags. */
export interface CommitSources {
  readonly database: Database
  readonly queue: CommitQueue
  readonly newTag: () => string
  /** How long a batch may take; the error for a batch that took longer contains it. */
  readonly batchSeconds: number
}

export interface CommitRequest {
  readonly parts: readonly TypeChanges[]
  /** The subject that makes the commit, for the audit. */
  readonly by?: string | undefined
  readonly idempotency?: { readonly key: string; readonly digest: string } | undefined
  /** Where the source of the batch is, before it and after it. */
  readonly moving?: WantedMove | undefined
}

/** Commits one version of one type, or of several types of one ontology together. */
export async function writeCommit(sources: CommitSources, request: CommitRequest): Promise<CommitReceipt> {
  const parts = request.parts
    .map(({ type, changes }) => ({ type, changes: lastChanges(changes) }))
    .toSorted((a, b) => a.type.id - b.type.id)
  const facts = commitFacts(sources, request)
  return withReceipts(sources.database, {
    types: () => parts.map((part) => part.type),
    idempotency: () => request.idempotency,
    moving: () => request.moving,
    commit: () =>
      parts.length === 1
        ? commitOne(sources, parts, { facts, moving: request.moving })
        : commitSeveral(sources.database, parts, { facts, moving: request.moving }),
  })
}

export const commitFacts = (
  sources: CommitSources,
  { by, idempotency }: Pick<CommitFacts, 'by' | 'idempotency'>,
): CommitFacts => ({ tag: sources.newTag(), by, idempotency })

interface Committed {
  readonly facts: CommitFacts
  readonly moving: WantedMove | undefined
}

async function commitOne(
  { database, queue }: Pick<CommitSources, 'database' | 'queue'>,
  [part]: readonly TypeChanges[],
  { facts, moving }: Committed,
) {
  invariant(part !== undefined, 'commit-without-parts')
  const { type, changes } = part
  const holder = database.holding(type.schema)
  // An assumption: the statement writes nothing if the source has moved meanwhile.
  const source = moving && (await requireStep(holder, moving))
  const receipt = await queue({
    type,
    given: givenChanges(type, changes),
    facts: { ...facts, source },
    changes: changes.length,
    values: changes.reduce((sum, change) => sum + valuesOf(type, change), 0),
  })
  if (receipt !== undefined) return [receipt]
  if (moving !== undefined) await requireStep(holder, moving)
  throw new StaleDefinition(type)
}

async function commitSeveral(
  database: Database,
  parts: readonly TypeChanges[],
  { facts, moving }: Committed,
) {
  return database.holding(schemaOf(parts)).transaction((transaction) =>
    applyTogether(
      transaction,
      parts.map(({ type, changes }) => ({ type, given: givenChanges(type, changes) })),
      { facts, isCitus: database.isCitus(), moving },
    ),
  )
}

/** All types of a commit are of one ontology. */
export const schemaOf = (parts: readonly { readonly type: ObjectType }[]): string =>
  parts[0]?.type.schema ?? ''

interface Committing {
  /** Called after a failure: the types of a streamed batch are known only then. */
  readonly types: () => readonly ObjectType[]
  readonly idempotency: () => CommitFacts['idempotency']
  readonly moving: () => WantedMove | undefined
  readonly commit: () => Promise<readonly Row[]>
}

/** A key that was used before, or a source that was moved before, returns the receipt of the first time, if the changes are the same. */
export async function withReceipts(database: Database, committing: Committing): Promise<CommitReceipt> {
  try {
    return await orAppliedBefore(database, committing)
  } catch (error) {
    if (!(error instanceof AlreadyApplied)) throw error
    invariant('version' in error.answer, 'batch-answered-as-a-move-alone')
    return error.answer
  }
}

async function orAppliedBefore(
  database: Database,
  { types, idempotency: idempotencyOf, moving: movingOf, commit }: Committing,
): Promise<CommitReceipt> {
  try {
    const rows = await commit()
    const moving = movingOf()
    return receiptOf(rows, { replayed: false, source: moving && sourceAfter(moving) })
  } catch (error) {
    if (!hasState(error, 'uniqueViolation')) throw error
    const idempotency = idempotencyOf()
    const moving = movingOf()
    // Another request has begun the source at the same time: it is either this batch or another writer.
    if (moving !== undefined) await requireStep(database.holding(moving.schema), moving)
    if (idempotency === undefined) throw error
    const rows = await Promise.all(
      types().map((type) => database.holding(type.schema).rows(readReceipt(type, idempotency.key))),
    )
    const found = rows.flat()
    if (found.length !== types().length || found.some((row) => row['digest'] !== idempotency.digest)) {
      throw new ServiceError('IdempotencyKeyConflict', { idempotencyKey: idempotency.key }, { cause: error })
    }
    return receiptOf(found, { replayed: true, ...sourceOfCommit(found[0]) })
  }
}

interface Receiving {
  readonly replayed: boolean
  readonly source?: SourcePosition | undefined
}

export function receiptOf(rows: readonly Row[], { replayed, source }: Receiving): CommitReceipt {
  return {
    version: rows[0]?.['version'] ?? '',
    committedAt: wireTime(rows[0]?.['committed_at'] ?? ''),
    ...countsOf(rows),
    replayed,
    ...(source !== undefined && { source }),
  }
}
