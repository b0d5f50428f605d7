// One object type, ready to read.
import type { WalkNotice } from '@octavo/client'
import type { Aggregate, AggregateRequest, ManagedOntology, Query } from '@octavo/protocol'
import type { Connection } from '../connection/connection.ts'
import type { Condition } from './read-condition.ts'
import type { OrderKey } from './read-order.ts'
import type { TypeFacts } from './type-facts.ts'

export interface ShownObject {
  readonly properties: Readonly<Record<string, unknown>>
}

interface WalkWish {
  readonly conditions: readonly Condition[]
  /** In addition to the conditions; needs revision 2.0. */
  readonly query?: Query
  readonly orderBy?: readonly OrderKey[]
  readonly pageSize: number
  readonly snapshot: boolean
  readonly snapshotToken?: string
  readonly onNotice?: (notice: WalkNotice) => void
}

export interface ObjectSource {
  readonly facts: TypeFacts
  readonly connection: Connection
  readonly ontology: ManagedOntology
  readonly walk: (wish: WalkWish) => AsyncIterable<ShownObject>
  readonly get: (key: string) => Promise<ShownObject>
  readonly aggregate: (asked: AggregateRequest) => Promise<Aggregate>
}
