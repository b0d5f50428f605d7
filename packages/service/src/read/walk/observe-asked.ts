import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageService } from './page-service.ts'
import type { PageArrival } from './page-arrival.ts'

interface Asked {
  readonly endpoint: string
  readonly ontology: Pick<Ontology, 'rid'>
  readonly type: Pick<ObjectType, 'apiName'>
}

/** For requests about the objects of a state that return none of them. */
export const observeAsked = (
  { observe }: Pick<PageService, 'observe'>,
  { requestId, caller }: Pick<PageArrival, 'requestId' | 'caller'>,
  { endpoint, ontology, type }: Asked,
): void =>
  observe({
    kind: 'objects-read',
    requestId,
    subject: caller.subject,
    endpoint,
    ontologyRid: ontology.rid,
    objectType: type.apiName,
    objects: 0,
    bytes: 0,
    mode: 'snapshot',
  })
