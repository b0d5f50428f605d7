// Serves a batch, step by step: authorise the caller, read the lines, commit them as one version.
import {
  mediaTypes,
  type CommitPreview,
  type CommitReceipt,
  type MovedSource,
  type SourceLine,
} from '@octavo/protocol'
import type { Admission } from '../guard/admit/admission.ts'
import { auditedChanges, type AuditedChanges, type ChangingService } from './audited-changes.ts'
import type { Access } from '../guard/auth/access.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { findOntology, objectTypeNotFound } from '../catalog/find-object-type.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { TypeLines } from './commit/change.ts'
import type { DeletionLimit } from './commit/deletion-limit.ts'
import { gatherSmall } from './commit/gather-small.ts'
import { moveAlone } from './commit/move-alone.ts'
import { refuseEarly, requireStep, type WantedMove } from './commit/move-source.ts'
import { readBatch } from './commit/read-batch.ts'
import type { LineRules } from './commit/read-line.ts'
import { previewCommit, type StagedLines } from './commit/stage-commit.ts'
import { takeBody, type ArrivingBody, type BodyTime, type TakenBody } from './commit/take-body.ts'
import { contentsDigest } from '../base/digest/contents-digest.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import type { Catalog } from '../catalog/open-catalog.ts'

export interface BatchService extends ChangingService {
  readonly access: Pick<Access, 'roles' | 'recheck'>
  readonly store: ChangingService['store'] & { readonly catalog: Catalog }
  /** The admission of batches; pages have one of their own. */
  readonly admission: Admission
  readonly batchTime: BodyTime
}

export interface BatchArrival {
  readonly caller: Caller
  /** Its rid or its API name. */
  readonly ontology: string
  /** The type of a batch of one type; otherwise each line names its own. */
  readonly objectType: string | undefined
  readonly replaces: boolean
  /** How many objects a replacement may delete. */
  readonly maxDeletions: DeletionLimit
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean
  readonly idempotencyKey: string | undefined
  readonly body: ArrivingBody
  readonly signal: AbortSignal
}

export async function serveBatch(
  service: BatchService,
  arrival: BatchArrival,
): Promise<CommitReceipt | MovedSource | CommitPreview> {
  const { caller, objectType, replaces, maxDeletions, idempotencyKey } = arrival
  const ontology = await findOntology(
    service,
    caller,
    { kind: 'ontology', ontology: arrival.ontology },
    'writer',
  )
  if (objectType !== undefined) await typeNamed(service, ontology, objectType)

  const place = await service.admission.reserve(caller.subject, arrival.signal)
  try {
    const digest = contentsDigest(`${replaces ? 'replace' : 'batch'} ${objectType ?? ''}`)
    const body = await takeBody(arrival.body, digest, service.batchTime)
    const batch: Batch = {
      ontology,
      objectType,
      replaces,
      maxDeletions,
      body,
      digest: digest.value,
      idempotencyKey,
      source: { found: undefined },
      changes: auditedChanges(service, caller.subject),
    }
    if (arrival.dryRun) return await preview(service, batch)
    return body.kind === 'whole'
      ? await service.store.catalog.withFreshTypes(ontology, () => commitWhole(service, batch))
      : await stageStreamed(service, batch)
  } finally {
    place.release()
  }
}

interface Batch {
  readonly ontology: Ontology
  readonly objectType: string | undefined
  readonly replaces: boolean
  readonly maxDeletions: DeletionLimit
  readonly body: TakenBody
  /** Of the whole body, once it has been read. */
  readonly digest: () => string
  readonly idempotencyKey: string | undefined
  /** The line of its source, once it has been read. */
  readonly source: { found: { readonly move: SourceLine; readonly line: number } | undefined }
  readonly changes: AuditedChanges
}

const idempotencyOf = ({ idempotencyKey: key, digest }: Batch) =>
  key === undefined ? undefined : { key, digest }

/** Once all lines have been read: the line of the source may be the last. */
function movingOf({ ontology, source: { found }, digest }: Batch): WantedMove | undefined {
  return found && { schema: ontology.schema, ...found, digest: digest() }
}

/** The body is in memory, so it can be read again if a definition turns out to be stale. */
async function commitWhole(service: BatchService, batch: Batch): Promise<CommitReceipt | MovedSource> {
  if (batch.replaces) return stage(service, batch, linesOf(service, batch))
  const gathered = await gatherSmall(linesOf(service, batch))
  if (gathered.kind === 'large') return stage(service, batch, gathered.chunks)
  const moving = movingOf(batch)
  if (gathered.parts.length === 0) {
    if (moving !== undefined) return moveAlone(service.store.database, moving)
    throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.ndjson })
  }
  const idempotency = idempotencyOf(batch)
  return batch.changes.commit(batch.ontology, {
    parts: gathered.parts,
    idempotency: idempotency && { key: idempotency.key, digest: idempotency.digest() },
    moving,
  })
}

/**
 * A streamed body can be read only once. So the definitions are compared with the database first: the client must send the batch
 * again only if one changes while it is being read.
 */
async function stageStreamed(service: BatchService, batch: Batch): Promise<CommitReceipt> {
  const { catalog } = service.store
  await catalog.recheckTypes(batch.ontology)
  let tries = 0
  return catalog.withFreshTypes(batch.ontology, async () => {
    tries += 1
    if (tries > 1) throw new ServiceError('Overloaded', { retryAfterSeconds: 1 })
    return stage(service, batch, linesOf(service, batch))
  })
}

async function stage(
  service: BatchService,
  batch: Batch,
  chunks: AsyncIterable<TypeLines>,
): Promise<CommitReceipt> {
  return batch.changes.stage(batch.ontology, {
    ...(await stagedLines(service, batch, chunks)),
    idempotency: idempotencyOf(batch),
    moving: () => movingOf(batch),
  })
}

/** The definitions are compared with the database first, as for a streamed body: nothing notices later that one is stale. */
async function preview(service: BatchService, batch: Batch): Promise<CommitPreview> {
  await service.store.catalog.recheckTypes(batch.ontology)
  const counted = await previewCommit(
    service.store,
    await stagedLines(service, batch, linesOf(service, batch)),
  )
  const moving = movingOf(batch)
  if (moving !== undefined) await requireStep(service.store.database.holding(moving.schema), moving)
  return counted
}

async function stagedLines(
  service: BatchService,
  { ontology, objectType, replaces, maxDeletions }: Batch,
  chunks: AsyncIterable<TypeLines>,
): Promise<StagedLines> {
  return {
    chunks: refusingNothing(chunks),
    ...(replaces && { replaces: await typeNamed(service, ontology, objectType), maxDeletions }),
  }
}

const linesOf = (service: BatchService, batch: Batch): AsyncGenerator<TypeLines> =>
  readBatch(eachOf(batch.body.pieces), lineRules(service, batch))

function lineRules(service: BatchService, batch: Batch): LineRules {
  const { ontology, objectType, replaces, body, source } = batch
  source.found = undefined
  const found = new Map<string, ObjectType>()
  const find = async (name: string): Promise<ObjectType | string> => {
    const type = await service.store.catalog.objectType(ontology, name)
    if (type === undefined) return 'must name an object type of the ontology'
    found.set(name, type)
    return type
  }
  return {
    putsOnly: replaces,
    takesConditions: true,
    onSource: async (move, line) => {
      source.found = { move, line }
      // A gigabyte is not read for nothing.
      if (body.kind === 'streamed')
        await refuseEarly(service.store.database.holding(ontology.schema), {
          schema: ontology.schema,
          move,
          line,
        })
    },
    typeOf: (named) => {
      const name = named ?? objectType
      if (typeof name !== 'string') return 'must have the field "objectType", which names an object type'
      if (objectType !== undefined && name !== objectType) {
        return `must be of the type ${objectType}, as in the path: leave "objectType" out`
      }
      return found.get(name) ?? find(name)
    },
  }
}

async function typeNamed({ store }: BatchService, ontology: Ontology, objectType = ''): Promise<ObjectType> {
  const type = await store.catalog.objectType(ontology, objectType)
  if (type === undefined) throw objectTypeNotFound(store.catalog, ontology, objectType)
  return type
}

/** An empty body would delete all objects of a type; a caller who means that has to send deletes. */
async function* refusingNothing<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let some = false
  for await (const chunk of chunks) {
    some = true
    yield chunk
  }
  if (!some) throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.ndjson })
}

async function* eachOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
}
