// The steps of an aggregate, each as the contract requires. A broken server replaces one of them.
import type { Aggregate, AggregateGroup, ScalarType, ScalarValue } from '@octavo/protocol'
import { compareValues } from '../../../src/subject/compare-values.ts'
import { exactSum } from '../../../src/subject/exact-numbers.ts'
import { thingType, type ModelObject, type State } from './model-data.ts'
import { stateAt, type ModelStore } from './model-store.ts'

/** A group with its objects. */
export interface ModelGroup extends AggregateGroup {
  readonly objects: readonly ModelObject[]
}

export interface AggregateSteps {
  /** Refuses every request, if there are no aggregates at all. */
  readonly knowsAggregates: () => void
  /** The state of this version, which the request names or which is the latest. */
  readonly aggregatedState: (store: ModelStore, version: number) => State
  /** Those of the objects that match which are read. */
  readonly aggregatedObjects: (objects: readonly ModelObject[]) => readonly ModelObject[]
  /** The values at the ends of the index, for `min` and `max` of all objects. */
  readonly indexedValues: (state: State, field: string) => readonly ScalarValue[]
  readonly sum: (values: readonly ScalarValue[]) => string
  /** The objects that are in some group, though they may have no value. */
  readonly groupedObjects: (
    objects: readonly ModelObject[],
    grouping: { readonly field: string; readonly includesNull: boolean },
  ) => readonly ModelObject[]
  /** The first groups, and how many objects the others hold. */
  readonly firstGroups: (
    groups: readonly ModelGroup[],
    most: number,
  ) => { readonly groups: readonly ModelGroup[] } & Pick<Aggregate, 'excludedItems'>
}

export const scalarType = (field: string): ScalarType => {
  const type = thingType.properties[field]?.type
  return typeof type === 'string' ? type : 'string'
}

export function valuesOf(objects: Iterable<ModelObject>, field: string): readonly ScalarValue[] {
  return [...objects]
    .map((object) => object[field])
    .filter((value) => value !== undefined && value !== null && typeof value !== 'object')
    .toSorted((a, b) => compareValues(scalarType(field), a, b))
}

export const correctAggregateSteps: AggregateSteps = {
  knowsAggregates: () => {},

  aggregatedState: stateAt,

  aggregatedObjects: (objects) => objects,

  indexedValues: (state, field) => valuesOf(state.values(), field),

  sum: exactSum,

  groupedObjects: (objects, { field, includesNull }) =>
    includesNull ? objects : objects.filter((object) => object[field] !== undefined),

  firstGroups: (groups, most) => {
    const excluded = groups.slice(most).reduce((sum, { objects }) => sum + objects.length, 0)
    return { groups: groups.slice(0, most), ...(excluded > 0 && { excludedItems: excluded }) }
  },
}
