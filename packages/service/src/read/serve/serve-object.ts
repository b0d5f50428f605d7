// Serves one object by its primary key, in the latest state or in one that was named.
import type { FoundObject } from '@octavo/protocol'
import { checksumOf } from '../../base/digest/content-hash.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import type { PageService } from '../walk/page-service.ts'
import { resolveProperties } from '../request/resolve-names.ts'
import { recordProjector } from '../rows/page/project-records.ts'
import { observeRead, withType, type TypeArrival } from '../walk/type-context.ts'
import { openNamed } from '../token/snapshot-token.ts'
import { readObject } from '../rows/page/read-object.ts'

/** How properties are named where objects are written so. */
const namesIn = {
  '1.0': 'listObjects',
  '2.0': 'searchObjects',
  osdk: 'listObjectsV2',
  'osdk-with-rid': 'listObjectsV2',
} as const

export interface ObjectArrival extends TypeArrival {
  readonly primaryKey: string
  readonly endpoint: 'getObject' | 'getObjectV2'
  readonly record: keyof typeof namesIn
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly snapshotToken?: string | undefined
}

export async function serveObject(service: PageService, arrival: ObjectArrival): Promise<Buffer> {
  const { target, primaryKey, endpoint, record, snapshotToken, signal } = arrival
  const mode = snapshotToken === undefined ? 'default' : 'snapshot'
  const found = await withType(service, arrival, async (context, reservation) => {
    const { type, caller } = context
    const select = arrival.select && [
      type.key.property,
      ...resolveProperties(namesIn[record], type, arrival.select),
    ]
    const key = keyFromText(type.key.scalar, primaryKey)
    const visible = policyFilter(type, caller.claims)
    const at =
      openNamed({ ...context, request: { snapshotToken } }) ??
      ({ kind: 'latest', after: context.after } as const)
    const stored =
      key === undefined
        ? undefined
        : await readObject(service.store, type, { key, visible, at, record }, signal)
    const body = stored && bodyOf(stored, select, record)
    const bytes = body?.length ?? 0
    reservation.keep(bytes)
    observeRead(context, { endpoint, mode, objects: body === undefined ? 0 : 1, bytes })
    return body
  })
  if (found !== undefined) return found
  throw new ServiceError('ObjectNotFound', { objectType: target.objectType, primaryKey })
}

function bodyOf(
  object: Buffer,
  select: readonly string[] | undefined,
  record: ObjectArrival['record'],
): Buffer {
  if (select !== undefined) return Buffer.from(recordProjector(select, record)(object.toString()))
  return record === '2.0' ? withChecksum(object) : object
}

/** The hash of an object is that of its canonical JSON, whatever order its properties are sent in (P250). */
function withChecksum(object: Buffer): Buffer {
  const checksum = checksumOf(JSON.parse(object.toString()) as FoundObject)
  return Buffer.concat([object.subarray(0, -1), Buffer.from(`,"checksum":"${checksum}"}`)])
}
