// Serves a load, request by request: it is begun, takes parts in any order, and is finished or given up. Nothing of it is visible
// before it is finished.
import { limits, type CommitReceipt, type Load, type LoadPartReceipt } from '@octavo/protocol'
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
import type { BatchService } from './serve-batch.ts'

export interface LoadArrival {
  readonly caller: Caller
  readonly ontologyRid: string
  readonly objectType: string
}

export interface PartArrival extends LoadArrival {
  readonly loadId: string
  readonly part: number
  readonly body: ArrivingBody
  readonly signal: AbortSignal
}

export async function beginLoad(
  service: BatchService,
  arrival: LoadArrival & { readonly replaces: boolean },
): Promise<Load> {
  return withType(service, arrival, async (type) => {
    const load = await service.store.loads.begin(type, { replaces: arrival.replaces })
    return service.store.loads.describe(type, load)
  })
}

export const readLoad = (
  service: BatchService,
  arrival: LoadArrival & { readonly loadId: string },
): Promise<Load> => withType(service, arrival, (type) => service.store.loads.describe(type, arrival.loadId))

export const giveUpLoad = (
  service: BatchService,
  arrival: LoadArrival & { readonly loadId: string },
): Promise<Load> =>
  withType(service, arrival, async (type) => {
    const { loads } = service.store
    const load = await loads.describe(type, arrival.loadId)
    await loads.giveUp(type, arrival.loadId)
    return load
  })

export async function addLoadPart(service: BatchService, arrival: PartArrival): Promise<LoadPartReceipt> {
  const { caller, loadId, signal } = arrival
  const part = { part: String(arrival.part) }
  const { loads } = service.store
  // Nothing is read for a load that does not exist or takes no more parts.
  await withType(service, arrival, (type) => loads.requireOpen(type, loadId))
  const place = await service.admission.reserve(caller.subject, signal)
  try {
    const digest = contentsDigest('part')
    // The transaction that stores a part must not wait for its client, so the part is read whole before.
    const limit = { ...service.batchTime, maximumBytes: limits.load.partBytes }
    const pieces: Buffer[] = []
    for await (const piece of takePieces(arrival.body, digest, limit)) pieces.push(piece)
    return await withType(service, arrival, async (type) => {
      const sent = { ...part, digest: digest.value() }
      const known = await loads.storedPart(type, loadId, sent)
      if (known !== undefined) return { part: arrival.part, objects: known, replayed: true }
      const rows = await gatherRows(readBatch(eachOf(pieces), linesOf(type)))
      if (rows.rows.size === 0) throw new ServiceError('MissingPostBody', {})
      return { part: arrival.part, ...(await loads.addPart(type, loadId, { ...sent, ...rows })) }
    })
  } finally {
    place.release()
  }
}

export async function finishLoad(
  service: BatchService,
  arrival: LoadArrival & {
    readonly loadId: string
    readonly maxDeletions: DeletionLimit
    readonly signal: AbortSignal
  },
): Promise<CommitReceipt> {
  const { caller, loadId: load, maxDeletions, signal } = arrival
  const place = await service.admission.reserve(caller.subject, signal)
  try {
    return await withType(service, arrival, (type, ontology) =>
      auditedChanges(service, caller.subject).finishLoad(ontology, { type, load, maxDeletions }),
    )
  } finally {
    place.release()
  }
}

/** Repeats the work with the newest definition if it was done under an older one, or refused because of it. */
async function withType<T>(
  service: BatchService,
  { caller, ontologyRid, objectType }: LoadArrival,
  work: (type: ObjectType, ontology: Ontology) => Promise<T>,
): Promise<T> {
  const { catalog } = service.store
  const ontology = await findOntology(service, caller, { kind: 'rid', ontologyRid }, 'writer')
  return catalog.withFreshTypes(ontology, async () => {
    const type = await catalog.objectType(ontology, objectType)
    if (type === undefined) throw objectTypeNotFound(catalog, ontology, objectType)
    return work(type, ontology)
  })
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
