// The position of a source that a request asks for. The statements that read prove that their state contains it
// (read/sql/compile-clock.ts), so an answer depends on nothing that this process believes.
import { ServiceError } from '../../base/errors/service-error.ts'
import { findOntology, type OntologyTarget } from '../../catalog/find-object-type.ts'
import {
  positionOf,
  positionsOf,
  readSource,
  sortKeyOf,
  type AfterPosition,
  type BehindSource,
} from '../../catalog/source-positions.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { AskedPosition } from '../request/parse-after.ts'
import type { PageService } from './page-service.ts'

export type SourcesService = Pick<PageService, 'store' | 'access' | 'sources'>

interface PositionAsked {
  readonly caller: Caller
  readonly target: OntologyTarget
  readonly asked: AskedPosition
}

export async function positionAskedFor(
  service: SourcesService,
  { caller, target, asked }: PositionAsked,
): Promise<AfterPosition> {
  const { schema } = await findOntology(service, caller, target)
  const { source, generation, position } = asked
  const order = await service.sources.orderOf(schema, source)
  if (order === undefined) throw new ServiceError('SourceNotFound', { source })
  const sortKey = sortKeyOf(order, position)
  if (sortKey === undefined) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'afterPosition',
      parameterValue: position,
      expected: positionsOf[order],
    })
  }
  return { schema, source, order, generation, position, sortKey }
}

/** The refusal of a request whose state does not contain its position, which says how far the source is. */
export async function behindSource(
  { store, sources }: SourcesService,
  { after: { schema, source, position } }: BehindSource,
): Promise<ServiceError> {
  // It may have been forgotten and begun with another order.
  sources.forget(schema, source)
  const [stored] = await store.database.holding(schema).rows(readSource(schema, source))
  if (stored === undefined) return new ServiceError('SourceNotFound', { source })
  return new ServiceError('SourceBehind', { source, afterPosition: position, stored: positionOf(stored) })
}
