// Serves the versions of one object that are kept, newest first, page by page.
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import { writeVersions } from '../page/write-versions.ts'
import type { VersionsRequest } from '../request/parse-list-request.ts'
import { identityOf } from '../request/request-identity.ts'
import { resolveProperties } from '../request/resolve-names.ts'
import { recordProjector } from '../rows/page/project-records.ts'
import { readObjectVersions, type ObjectVersion } from '../rows/page/read-object-versions.ts'
import { openWalk } from '../token/open-walk.ts'
import { tokenBinding } from '../token/token-binding.ts'
import { positionRoom } from '../token/token-claims.ts'
import type { PageService } from '../walk/page-service.ts'
import { observeRead, withType, type TypeArrival } from '../walk/type-context.ts'

export interface VersionsArrival extends TypeArrival {
  readonly primaryKey: string
  readonly parse: () => VersionsRequest
}

export async function serveVersions(service: PageService, arrival: VersionsArrival): Promise<Buffer> {
  const request = arrival.parse()
  return withType(service, arrival, async (context, reservation) => {
    const { type, caller, ontology } = context
    const { pageSize, pageToken } = request
    const { primaryKey } = arrival
    const select = request.select && [
      type.key.property,
      ...resolveProperties('searchObjects', type, request.select),
    ]
    const key = keyFromText(type.key.scalar, primaryKey)
    const notFound = () =>
      new ServiceError('ObjectNotFound', {
        objectType: type.apiName,
        primaryKey: primaryKey.slice(0, 1_024),
      })
    if (key === undefined) throw notFound()
    // The key stands for a query: both say which objects are read.
    const identity = identityOf({
      endpoint: 'listObjectVersions',
      ontology: ontology.rid,
      objectType: type.apiName,
      query: key,
      select: select && JSON.stringify([...new Set(select)].toSorted()),
    })
    const binding = tokenBinding(caller, identity)
    const nameOf = (part: string) => (part === 'query' ? 'primaryKey' : part)
    const { walk, next: nextWalk } = openWalk(service, { pageToken, binding, nameOf })
    const [version, epoch = null] = walk?.position ?? []
    const { at, oldestReadable, versions, next } = await readObjectVersions(service.store, type, {
      key,
      record: '2.0',
      visible: policyFilter(type, caller.claims),
      at: walk?.mode.kind === 'snapshot' ? walk.mode : undefined,
      before: version == null ? undefined : { version, epoch },
      most: pageSize,
      byteBudget: limits.page.byteBudget,
    })
    const following = nextWalk(versions.length, { mode: at })
    const body = writeVersions(select === undefined ? versions : versions.map(selecting(select)), {
      nextPageToken: next && following.tokenAfter([next.version, next.epoch], positionBytes),
      version: at.version,
      oldestReadable,
    })
    reservation.keep(body.length)
    observeRead(context, {
      endpoint: 'listObjectVersions',
      mode: 'snapshot',
      objects: versions.length,
      bytes: body.length,
      walkId: following.id,
    })
    // To a caller who may see none of them, the object does not exist (P144).
    if (walk === undefined && versions.length === 0) throw notFound()
    return body
  })
}

const selecting =
  (select: readonly string[]) =>
  (version: ObjectVersion): ObjectVersion => ({
    ...version,
    record: version.record && recordProjector(select, '2.0')(version.record),
  })

/** How many epochs there are depends on all objects, hidden ones among them. */
const positionBytes = positionRoom(['long', 'long'])
