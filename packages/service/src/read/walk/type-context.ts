// What the stages of a request know. It grows: once the object type has been found, once the request has its names, once its links
// have been followed.
import { findObjectType, type PageTarget } from '../../catalog/find-object-type.ts'
import type { AfterPosition } from '../../catalog/source-positions.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Reservation } from '../../guard/admit/admission.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { ObjectsRead } from '../../observe/observation.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { PageService } from './page-service.ts'

export interface TypeContext {
  readonly service: PageService
  readonly requestId: string
  readonly caller: Caller
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly signal: AbortSignal
  /** What the latest state must contain, if it is read. */
  readonly after?: AfterPosition | undefined
}

export interface RequestContext extends TypeContext {
  readonly request: PageRequest
}

/** The request as it arrives. */
export interface TypeArrival {
  readonly requestId: string
  readonly caller: Caller
  readonly target: PageTarget
  readonly signal: AbortSignal
  readonly after?: AfterPosition | undefined
  /** Takes over what is reserved for the answer. It is released once the answer is sent or the client has disconnected. */
  readonly hold: (reservation: Reservation) => void
}

/** Does work on one object type once it is admitted and allowed, and again if the type's definition has changed meanwhile. */
export async function withType<Result>(
  service: PageService,
  { requestId, caller, target, signal, hold, after }: TypeArrival,
  work: (context: TypeContext, reservation: Reservation) => Promise<Result>,
): Promise<Result> {
  const reservation = await service.admission.reserve(caller.subject, signal)
  hold(reservation)
  const { ontology, type } = await findObjectType(service, caller, target)
  return service.store.catalog.withFreshType(ontology, type, (fresh) =>
    work({ service, requestId, caller, ontology, type: fresh, signal, after }, reservation),
  )
}

type Returned = Pick<ObjectsRead, 'endpoint' | 'mode' | 'walkId' | 'endedBy'> &
  Partial<Pick<ObjectsRead, 'objects' | 'bytes'>>

/** For the audit. */
export const observeRead = (
  { service, requestId, caller, ontology, type }: TypeContext,
  { objects = 0, bytes = 0, ...returned }: Returned,
): void =>
  service.observe({
    kind: 'objects-read',
    requestId,
    subject: caller.subject,
    ontologyRid: ontology.rid,
    objectType: type.apiName,
    objects,
    bytes,
    ...returned,
  })
