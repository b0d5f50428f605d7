// The steps of an aggregate, each as the contract requires. A broken server replaces one of them.
import { metricOf, type ModelMetric } from '@octavo/model'
import type { Aggregate, Aggregation } from '@octavo/protocol'
import { thingType, type ModelObject, type State } from './model-data.ts'
import { stateAt, type ModelStore } from './model-store.ts'

export interface AggregateSteps {
  /** Refuses every request, if there are no aggregates at all. */
  readonly knowsAggregates: () => void
  /** The state of this version, which the request names or which is the latest. */
  readonly aggregatedState: (store: ModelStore, version: number) => State
  /** Those of the objects that match which are read. */
  readonly aggregatedObjects: (objects: readonly ModelObject[]) => readonly ModelObject[]
  /** `all` is set if all objects are counted, in one group. */
  readonly metric: (
    item: Aggregation,
    objects: readonly ModelObject[],
    asked: { readonly all: State | undefined },
  ) => ModelMetric
  /** The objects that may be in some group of this field. */
  readonly groupedObjects: (objects: readonly ModelObject[], field: string) => readonly ModelObject[]
  readonly aggregateAnswer: (answer: Aggregate) => Aggregate
}

export const correctAggregateSteps: AggregateSteps = {
  knowsAggregates: () => {},
  aggregatedState: stateAt,
  aggregatedObjects: (objects) => objects,
  metric: (item, objects) => metricOf(thingType, item, objects),
  groupedObjects: (objects) => objects,
  aggregateAnswer: (answer) => answer,
}
