// Serves the versions of one object that are kept, newest first, page by page.
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import { findObjectType } from '../../catalog/find-object-type.ts'
import { writeVersions } from '../page/write-versions.ts'
import type { VersionsRequest } from '../request/parse-list-request.ts'
import { identityOf } from '../request/request-identity.ts'
import { resolveProperties } from '../request/resolve-names.ts'
import { recordProjector } from '../rows/page/project-records.ts'
import type { ObjectVersion } from '../rows/page/read-object-versions.ts'
import type { PageService } from '../walk/page-service.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { openWalk } from '../token/open-walk.ts'
import { positionRoom } from '../token/token-claims.ts'
import { tokenBinding } from '../token/token-binding.ts'

export interface VersionsArrival extends Pick<
  PageArrival,
  'requestId' | 'caller' | 'target' | 'signal' | 'hold'
> {
  readonly primaryKey: string
  readonly parse: () => VersionsRequest
}

export async function serveVersions(service: PageService, arrival: VersionsArrival): Promise<Buffer> {
  const { caller, signal } = arrival
  const { store } = service
  const request = arrival.parse()
  const reservation = await service.admission.reserve(caller.subject, signal)
  arrival.hold(reservation)
  const { ontology, type } = await findObjectType(service, caller, arrival.target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const { pageSize, pageToken } = request
    const { primaryKey } = arrival
    const select = request.select && [
      fresh.key.property,
      ...resolveProperties('searchObjects', fresh, request.select),
    ]
    const key = keyFromText(fresh.key.scalar, primaryKey)
    const notFound = () =>
      new ServiceError('ObjectNotFound', {
        objectType: fresh.apiName,
        primaryKey: primaryKey.slice(0, 1_024),
      })
    if (key === undefined) throw notFound()
    // The key takes the place of a query: both say which objects are asked for.
    const identity = identityOf({
      endpoint: 'listObjectVersions',
      ontology: ontology.rid,
      objectType: fresh.apiName,
      query: key,
      select: select && JSON.stringify([...new Set(select)].toSorted()),
    })
    const binding = tokenBinding(caller, identity)
    const nameOf = (part: string) => (part === 'query' ? 'primaryKey' : part)
    const { walk, next: nextWalk } = openWalk(service, { pageToken, binding, nameOf })
    const [version, epoch = null] = walk?.position ?? []
    const { at, oldestReadable, versions, next } = await store.readObjectVersions(fresh, {
      key,
      record: '2.0',
      visible: policyFilter(fresh, caller.claims),
      at: walk?.mode.kind === 'snapshot' ? walk.mode : undefined,
      before: version == null ? undefined : { version, epoch },
      most: pageSize,
      byteBudget: limits.page.byteBudget,
    })
    const following = nextWalk(versions.length, { mode: at })
    const body = writeVersions(select === undefined ? versions : versions.map(selecting(select)), {
      nextPageToken: next && following.tokenAfter([next.version, next.epoch], roomForPlace),
      version: at.version,
      oldestReadable,
    })
    reservation.keep(body.length)
    service.observe({
      kind: 'objects-read',
      requestId: arrival.requestId,
      subject: caller.subject,
      endpoint: 'listObjectVersions',
      ontologyRid: ontology.rid,
      objectType: fresh.apiName,
      objects: versions.length,
      bytes: body.length,
      mode: 'snapshot',
      walkId: following.id,
    })
    // To whoever may see none of them, the object does not exist (P144).
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
const roomForPlace = positionRoom(['long', 'long'])
