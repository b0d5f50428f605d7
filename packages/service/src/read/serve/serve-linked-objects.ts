// Serves the objects that one object is linked to, as pages of their type.
import type { Query } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { keyFromText } from '../../base/value/key-from-text.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import type { Link } from '../../catalog/links.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageService } from '../walk/page-service.ts'
import type { PageRequest } from '../request/page-request.ts'
import { servePage, type ServedPage } from './serve-page.ts'
import type { PageArrival } from '../walk/page-arrival.ts'
import { linkAt, linkedTo } from '../walk/through-link.ts'
import { openNamed } from '../token/snapshot-token.ts'

export interface LinkedObjectsArrival extends PageArrival {
  /** Of the object that the link starts at. */
  readonly primaryKey: string
  /** The name of the link, at the type of the target. */
  readonly link: string
}

export async function serveLinkedObjects(
  service: PageService,
  { primaryKey, link: name, ...arrival }: LinkedObjectsArrival,
): Promise<ServedPage> {
  const { caller, target, signal } = arrival
  const request = arrival.parse()
  const { ontology, link } = await linkAt(service, { caller, target, link: name })
  const source = await requireSource(service, { caller, signal, ontology, link, primaryKey, request })
  return servePage(service, {
    ...arrival,
    target: { ...target, objectType: link.to.apiName },
    parse: () => ({ ...request, query: linkedTo(link, source) }),
  })
}

interface WantedSource extends Pick<LinkedObjectsArrival, 'caller' | 'signal' | 'primaryKey'> {
  readonly ontology: Ontology
  readonly link: Link
  readonly request: PageRequest
}

/**
 * The query for the one object that the link starts at. Whoever asks for the first page learns whether there is such an object (P326);
 * on later pages it may be gone.
 */
async function requireSource(
  { store, sealer, admission }: PageService,
  { caller, ontology, link, primaryKey, request, signal }: WantedSource,
): Promise<Query> {
  const { from } = link
  const { catalog } = store
  const key = keyFromText(from.key.scalar, primaryKey)
  const value = valueFromText(from.key.scalar, primaryKey)
  const notFound = () => new ServiceError('ObjectNotFound', { objectType: from.apiName, primaryKey })
  if (key === undefined || value === undefined) throw notFound()
  if (request.pageToken === undefined) {
    const { release } = await admission.reserve(caller.subject, signal)
    try {
      const found = await catalog.withFreshTypes(ontology, async () => {
        const type = (await catalog.objectType(ontology, from.apiName)) ?? from
        const at = openNamed(sealer, request, { ontology, type })
        const visible = policyFilter(type, caller.claims)
        return store.readObject(type, { key, visible, at, record: '1.0' }, signal)
      })
      if (found === undefined) throw notFound()
    } finally {
      release()
    }
  }
  return { type: 'eq', field: from.key.property, value }
}
