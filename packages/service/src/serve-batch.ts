// The way of a batch, step by step: who writes, what the lines say, one version of it.
import type { CommitReceipt } from '@octavo/protocol'
import type { Admission } from './admit/admission.ts'
import { auditedChanges, type AuditedChanges } from './audit/audited-changes.ts'
import type { Access } from './auth/access.ts'
import type { Caller } from './auth/caller.ts'
import { findOntology } from './catalog/find-object-type.ts'
import type { ObjectType } from './catalog/object-type.ts'
import type { Ontology } from './catalog/ontology.ts'
import type { Change } from './commit/change.ts'
import { readBatch } from './commit/read-batch.ts'
import type { LineRules } from './commit/read-line.ts'
import { takeBody, type TakenBody } from './commit/take-body.ts'
import { contentsDigest } from './digest/contents-digest.ts'
import { ServiceError } from './errors/service-error.ts'
import type { GoneSignal } from './memory/gone-signal.ts'
import type { Observe } from './observe/observation.ts'
import type { Store } from './open-store.ts'

export interface BatchService {
  readonly access: Pick<Access, 'roles' | 'recheck'>
  readonly store: Pick<Store, 'catalog' | 'commit' | 'stage' | 'applyOntology' | 'applyObjectType'>
  /** Of batches: pages have one of their own. */
  readonly admission: Admission
  readonly observe: Observe
}

export interface BatchArrival {
  readonly caller: Caller
  readonly ontologyRid: string
  /** Of a batch of one type; otherwise each line names its own. */
  readonly objectType: string | undefined
  readonly replaces: boolean
  readonly idempotencyKey: string | undefined
  readonly body: AsyncIterable<Buffer>
  readonly signal: GoneSignal
}

export async function serveBatch(service: BatchService, arrival: BatchArrival): Promise<CommitReceipt> {
  const { caller, ontologyRid, objectType, replaces, idempotencyKey } = arrival
  const ontology = await findOntology(service, caller, { kind: 'rid', ontologyRid }, 'writer')
  if (objectType !== undefined) await typeNamed(service, ontology, objectType)

  const place = await service.admission.reserve(caller.subject, arrival.signal)
  try {
    const digest = contentsDigest(`${replaces ? 'replace' : 'batch'} ${objectType ?? ''}`)
    const body = await takeBody(arrival.body, digest)
    const batch: Batch = {
      ontology,
      objectType,
      replaces,
      body,
      idempotency: idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest: digest.value },
      changes: auditedChanges(service.store, caller.subject, service.observe),
    }
    return body.kind === 'whole' && !replaces
      ? await service.store.catalog.withFreshTypes(ontology, () => commitWhole(service, batch, body.pieces))
      : await stageStreamed(service, batch)
  } finally {
    place.release()
  }
}

interface Batch {
  readonly ontology: Ontology
  readonly objectType: string | undefined
  readonly replaces: boolean
  readonly body: TakenBody
  readonly idempotency: { readonly key: string; readonly digest: () => string } | undefined
  readonly changes: AuditedChanges
}

async function commitWhole(
  service: BatchService,
  batch: Batch,
  pieces: readonly Buffer[],
): Promise<CommitReceipt> {
  const byType = new Map<ObjectType, Change[]>()
  for await (const { type, changes } of readBatch(eachOf(pieces), lineRules(service, batch))) {
    const gathered = byType.get(type)
    if (gathered === undefined) byType.set(type, [...changes])
    else gathered.push(...changes)
  }
  if (byType.size === 0) throw new ServiceError('MissingPostBody', {})
  const { ontology, idempotency } = batch
  return batch.changes.commit(ontology, {
    parts: [...byType].map(([type, changes]) => ({ type, changes })),
    idempotency: idempotency && { key: idempotency.key, digest: idempotency.digest() },
  })
}

/** Read once: a definition that changes meanwhile makes the client send the batch again. */
async function stageStreamed(service: BatchService, batch: Batch): Promise<CommitReceipt> {
  const { ontology, objectType, replaces, idempotency, body } = batch
  let tries = 0
  return service.store.catalog.withFreshTypes(ontology, async () => {
    tries += 1
    if (tries > 1) throw new ServiceError('Overloaded', { retryAfterSeconds: 1 })
    return batch.changes.stage(ontology, {
      chunks: refusingNothing(readBatch(eachOf(body.pieces), lineRules(service, batch))),
      ...(replaces && { replaces: await typeNamed(service, ontology, objectType) }),
      idempotency,
    })
  })
}

function lineRules(service: BatchService, { ontology, objectType, replaces }: Batch): LineRules {
  const found = new Map<string, ObjectType>()
  const find = async (name: string): Promise<ObjectType | string> => {
    const type = await service.store.catalog.objectType(ontology, name)
    if (type === undefined) return 'must name an object type of the ontology'
    found.set(name, type)
    return type
  }
  return {
    putsOnly: replaces,
    typeOf: (named) => {
      const name = named ?? objectType
      if (typeof name !== 'string') return 'must have the field "objectType", which names an object type'
      if (objectType !== undefined && name !== objectType) {
        return `must be for ${objectType}, as the path says: leave "objectType" out`
      }
      return found.get(name) ?? find(name)
    },
  }
}

async function typeNamed({ store }: BatchService, ontology: Ontology, objectType = ''): Promise<ObjectType> {
  const type = await store.catalog.objectType(ontology, objectType)
  if (type === undefined) throw new ServiceError('ObjectTypeNotFound', { objectType })
  return type
}

/** An empty body would delete everything that a type holds; whoever means that says so with deletes. */
async function* refusingNothing<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let some = false
  for await (const chunk of chunks) {
    some = true
    yield chunk
  }
  if (!some) throw new ServiceError('MissingPostBody', {})
}

async function* eachOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
}
