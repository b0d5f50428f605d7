// Serves a load, request by request: it is begun, takes parts in any order, and is finished or given up. Nothing of it is visible
// before it is finished.
import {
  limits,
  mediaTypes,
  nameHelp,
  type CommitReceipt,
  type Load,
  type LoadPartReceipt,
} from '@octavo/protocol'
import { contentsDigest } from '../base/digest/contents-digest.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { findOntology, objectTypeNotFound } from '../catalog/find-object-type.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { auditedChanges } from './audited-changes.ts'
import { gatherRows } from './bulk/load-rows.ts'
import type { DeletionLimit } from './commit/deletion-limit.ts'
import { readBatch } from './commit/read-batch.ts'
import { takePieces, type ArrivingBody } from './commit/take-body.ts'
import type { WantedLoad } from './parse-load-request.ts'
import type { BatchService } from './serve-batch.ts'

interface Arrival {
  readonly caller: Caller
  /** Its rid or its API name. */
  readonly ontology: string
}

interface LoadArrival extends Arrival {
  readonly loadId: string
}

interface PartArrival extends LoadArrival {
  readonly objectType: string
  readonly part: number
  readonly body: ArrivingBody
  readonly signal: AbortSignal
}

export const beginLoad = (
  service: BatchService,
  arrival: Arrival & WantedLoad & { readonly idempotencyKey: string | undefined },
): Promise<Load> =>
  withOntology(service, arrival, async (ontology) => {
    const { catalog, loads } = service.store
    const { objectType, replaces, idempotencyKey } = arrival
    const type = await catalog.objectType(ontology, objectType)
    if (type === undefined) throw objectTypeNotFound(catalog, ontology, objectType)
    return loads.describe(type, await loads.begin(type, { replaces, idempotencyKey }))
  })

/** The loads of an ontology, for a page of them. */
export async function loadsOf(service: BatchService, { caller, ontology: named }: Arrival) {
  const { catalog, loads } = service.store
  const ontology = await findOntology(service, caller, { kind: 'ontology', ontology: named }, 'writer')
  loads.requireSupport()
  return {
    ontology,
    read: async (after: readonly (string | null)[] | undefined, count: number) =>
      loads.list(ontology.schema, { types: await catalog.objectTypes(ontology), after, count }),
  }
}

export const readLoad = (service: BatchService, arrival: LoadArrival): Promise<Load> =>
  withLoad(service, arrival, (type) => service.store.loads.describe(type, arrival.loadId))

export const giveUpLoad = (service: BatchService, arrival: LoadArrival): Promise<void> =>
  withLoad(service, arrival, (type) => service.store.loads.giveUp(type, arrival.loadId))

export async function addLoadPart(service: BatchService, arrival: PartArrival): Promise<LoadPartReceipt> {
  const { caller, loadId, signal } = arrival
  const part = { part: String(arrival.part) }
  const { loads } = service.store
  // Nothing is read for a load that does not exist or takes no more parts.
  await withLoad(service, arrival, (type) => {
    requireTypeOfLoad(type, arrival.objectType)
    return loads.requireOpen(type, loadId)
  })
  const place = await service.admission.reserve(caller.subject, signal)
  try {
    const digest = contentsDigest('part')
    // The transaction that stores a part must not wait for its client, so the part is read whole before.
    const limit = { ...service.batchTime, maximumBytes: limits.load.partBytes }
    const pieces: Buffer[] = []
    for await (const piece of takePieces(arrival.body, digest, limit)) pieces.push(piece)
    return await withLoad(service, arrival, async (type) => {
      const sent = { ...part, digest: digest.value() }
      const known = await loads.storedPart(type, loadId, sent)
      if (known !== undefined) return { part: arrival.part, objectCount: known, replayed: true }
      const rows = await gatherRows(readBatch(eachOf(pieces), linesOf(type)))
      if (rows.rows.size === 0)
        throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.ndjson })
      return { part: arrival.part, ...(await loads.addPart(type, loadId, { ...sent, ...rows })) }
    })
  } finally {
    place.release()
  }
}

export async function finishLoad(
  service: BatchService,
  arrival: LoadArrival & { readonly maxDeletions: DeletionLimit; readonly signal: AbortSignal },
): Promise<CommitReceipt> {
  const { caller, loadId: load, maxDeletions, signal } = arrival
  const place = await service.admission.reserve(caller.subject, signal)
  try {
    return await withLoad(service, arrival, (type, ontology) =>
      auditedChanges(service, caller.subject).finishLoad(ontology, { type, load, maxDeletions }),
    )
  } finally {
    place.release()
  }
}

/** Does something with a load and the object type that it is of. */
const withLoad = <T>(
  service: BatchService,
  arrival: LoadArrival,
  work: (type: ObjectType, ontology: Ontology) => Promise<T>,
): Promise<T> =>
  withOntology(service, arrival, async (ontology) => {
    const { catalog, loads } = service.store
    const { loadId } = arrival
    const id = await loads.typeOf(ontology.schema, loadId)
    const type = (await catalog.objectTypes(ontology)).find((known) => known.id === id)
    if (type === undefined) throw new ServiceError('LoadNotFound', { loadId })
    return work(type, ontology)
  })

/** Repeats the work with the newest definition if it was done under an older one, or refused because of it. */
async function withOntology<T>(
  service: BatchService,
  { caller, ontology: named }: Arrival,
  work: (ontology: Ontology) => Promise<T>,
): Promise<T> {
  const { catalog, loads } = service.store
  const ontology = await findOntology(service, caller, { kind: 'ontology', ontology: named }, 'writer')
  loads.requireSupport()
  return catalog.withFreshTypes(ontology, () => work(ontology))
}

/** A load has the objects of the type that it was begun for. */
function requireTypeOfLoad({ apiName }: ObjectType, objectType: string): void {
  if (objectType === apiName) return
  throw new ServiceError('ObjectTypeNotFound', { objectType, ...nameHelp([objectType], [apiName]) })
}

const linesOf = (type: ObjectType) => ({
  putsOnly: true,
  typeOf: (named: unknown) =>
    named === undefined || named === type.apiName
      ? type
      : `must be of the type ${type.apiName}, as in the path: leave "objectType" out`,
})

async function* eachOf(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
}
