// Serves the objects that one object is linked to, as pages of their type.
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageRequest } from '../request/page-request.ts'
import { openNamed } from '../token/snapshot-token.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import type { PageService } from '../walk/page-service.ts'
import { linkAt, linkedTo } from '../walk/through-link.ts'
import { servePage, type ServedPage } from './serve-page.ts'
import { readObject } from '../rows/page/read-object.ts'

export interface LinkedObjectsArrival extends PageArrival {
  /** Of the object that the link starts at. */
  readonly primaryKey: string
  /** The name of the link, at the type of the target. */
  readonly link: string
}

export async function serveLinkedObjects(
  service: PageService,
  arrival: LinkedObjectsArrival,
): Promise<ServedPage> {
  const { primaryKey, target } = arrival
  const request = arrival.parse()
  const { ontology, link } = await linkAt(service, arrival)
  const { from } = link
  const key = keyFromText(from.key.scalar, primaryKey)
  const value = valueFromText(from.key.scalar, primaryKey)
  // A first page says whether there is such an object (P326); on later pages it may be gone.
  const isThere =
    key !== undefined &&
    value !== undefined &&
    (request.pageToken !== undefined || (await isVisible(service, arrival, { ontology, request, from, key })))
  if (!isThere) throw new ServiceError('ObjectNotFound', { objectType: from.apiName, primaryKey })
  return servePage(service, {
    ...arrival,
    target: { ...target, objectType: link.to.apiName },
    parse: () => ({ ...request, query: linkedTo(link, { type: 'eq', field: from.key.property, value }) }),
  })
}

interface ObjectOfType {
  readonly ontology: Ontology
  readonly request: PageRequest
  readonly from: ObjectType
  readonly key: string
}

async function isVisible(
  service: PageService,
  { caller, signal, after }: LinkedObjectsArrival,
  { ontology, request, from, key }: ObjectOfType,
): Promise<boolean> {
  const { store, admission } = service
  const { release } = await admission.reserve(caller.subject, signal)
  try {
    const found = await store.catalog.withFreshTypes(ontology, async () => {
      const type = (await store.catalog.objectType(ontology, from.apiName)) ?? from
      const at = openNamed({ service, ontology, type, request }) ?? ({ kind: 'latest', after } as const)
      const visible = policyFilter(type, caller.claims)
      return readObject(store, type, { key, visible, at, record: '1.0' }, signal)
    })
    return found !== undefined
  } finally {
    release()
  }
}
