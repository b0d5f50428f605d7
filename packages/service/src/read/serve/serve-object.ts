// Serves one object by its primary key, in the latest state or in one that was named.
import type { FoundObject } from '@octavo/protocol'
import { checksumOf } from '../../base/digest/content-hash.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import { findObjectType } from '../../catalog/find-object-type.ts'
import type { PageService } from '../walk/page-service.ts'
import { resolveProperties } from '../request/resolve-names.ts'
import { recordProjector } from '../rows/page/project-records.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { openNamed } from '../token/snapshot-token.ts'

/** How properties are named where objects are written so. */
const namesIn = {
  '1.0': 'listObjects',
  '2.0': 'searchObjects',
  osdk: 'listObjectsV2',
  'osdk-with-rid': 'listObjectsV2',
} as const

export interface ObjectArrival extends Pick<
  PageArrival,
  'requestId' | 'caller' | 'target' | 'signal' | 'hold'
> {
  readonly primaryKey: string
  readonly endpoint: 'getObject' | 'getObjectV2'
  readonly record: keyof typeof namesIn
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly snapshotToken?: string | undefined
}

export async function serveObject(service: PageService, arrival: ObjectArrival): Promise<Buffer> {
  const { caller, target, primaryKey, endpoint, record, snapshotToken, signal } = arrival
  const reservation = await service.admission.reserve(caller.subject, signal)
  arrival.hold(reservation)
  const { ontology, type } = await findObjectType(service, caller, target)
  const found = await service.store.catalog.withFreshType(ontology, type, async (fresh) => {
    const select = arrival.select && [
      fresh.key.property,
      ...resolveProperties(namesIn[record], fresh, arrival.select),
    ]
    const key = keyFromText(fresh.key.scalar, primaryKey)
    const visible = policyFilter(fresh, caller.claims)
    const at = openNamed(service.sealer, { snapshotToken }, { ontology, type: fresh })
    const whole =
      key === undefined
        ? undefined
        : await service.store.readObject(fresh, { key, visible, at, record }, signal)
    if (whole === undefined) return undefined
    if (select !== undefined) return Buffer.from(recordProjector(select, record)(whole.toString()))
    return record === '2.0' ? withChecksum(whole) : whole
  })
  reservation.keep(found?.length ?? 0)
  service.observe({
    kind: 'objects-read',
    requestId: arrival.requestId,
    subject: caller.subject,
    endpoint,
    ontologyRid: ontology.rid,
    objectType: type.apiName,
    objects: found === undefined ? 0 : 1,
    bytes: found?.length ?? 0,
    mode: snapshotToken === undefined ? 'default' : 'snapshot',
  })
  if (found !== undefined) return found
  throw new ServiceError('ObjectNotFound', { objectType: target.objectType, primaryKey })
}

/** The hash of an object is that of its canonical JSON, whatever order its properties are sent in (P250). */
function withChecksum(object: Buffer): Buffer {
  const checksum = checksumOf(JSON.parse(object.toString()) as FoundObject)
  return Buffer.concat([object.subarray(0, -1), Buffer.from(`,"checksum":"${checksum}"}`)])
}
