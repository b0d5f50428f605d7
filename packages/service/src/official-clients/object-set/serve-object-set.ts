// Serves a page of an object set: the set becomes a query of one type, and then it is a page like any other.
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { servePage, type ServedPage } from '../../read/serve/serve-page.ts'
import type { PageArrival } from '../../read/walk/page-arrival.ts'
import { refuseLarge, type LoadRequest } from './parse-v2-request.ts'
import { resolveObjectSet } from './resolve-object-set.ts'

export interface ObjectSetArrival extends Omit<PageArrival, 'target' | 'parse'> {
  readonly target: OntologyTarget
  readonly parse: () => LoadRequest
}

export async function serveObjectSet(service: PageService, arrival: ObjectSetArrival): Promise<ServedPage> {
  const { caller, target } = arrival
  const { objectSet, request } = arrival.parse()
  const { objectType, query } = await resolveObjectSet(service, { caller, target }, objectSet)
  refuseLarge(query)
  return servePage(service, {
    ...arrival,
    target: { ...target, objectType },
    parse: () => ({ ...request, query }),
  })
}
