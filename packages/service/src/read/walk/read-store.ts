import type { Catalog } from '../../catalog/open-catalog.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { LinkReading } from '../links/linked-keys.ts'
import type { WantedKeys } from '../rows/state/find-keys.ts'
import type { AggregatePlan } from '../plan/aggregate-plan.ts'
import type { AggregateRows } from '../rows/numbers/group-row.ts'
import type { AggregateLimits } from '../rows/numbers/read-aggregate.ts'
import type { Difference } from '../rows/changes/read-difference.ts'
import type { EarlierState } from '../sql/compile-state-query.ts'
import type { ReadLimits } from '../rows/page/page-rows.ts'
import type { TypeVersions } from '../rows/state/read-versions.ts'
import type { TypeCommits, WantedCommits } from '../rows/state/read-type-commits.ts'
import type { ObjectVersions, WantedVersions } from '../rows/page/read-object-versions.ts'
import type { WantedObject } from '../rows/page/read-object.ts'
import type { WatchSources } from '../wait/clock-watch.ts'
import type { PartitionOptions, Partitions } from '../rows/numbers/partition-collection.ts'
import type { WantedDifference } from '../rows/changes/wanted-difference.ts'

/** What the read path needs from the database. */
export interface ReadStore extends LinkReading {
  readonly catalog: Catalog
  /** The time, on the store's clock, by which a page requested now must have been read. */
  readonly answerBy: () => number
  /** The record as revision 1.0 writes it; nothing when the caller can see no such object. */
  readonly readObject: (
    type: ObjectType,
    wanted: WantedObject,
    signal?: AbortSignal,
  ) => Promise<Buffer | undefined>
  /** Which of the keys have an object that matches a filter in a state. */
  readonly findKeys: (type: ObjectType, wanted: WantedKeys) => Promise<ReadonlySet<string>>
  /** The versions of one object that are kept, newest first. */
  readonly readObjectVersions: (type: ObjectType, wanted: WantedVersions) => Promise<ObjectVersions>
  /** The versions of these types in the latest state. */
  readonly readVersions: (
    ontology: Ontology,
    types: readonly [ObjectType, ...ObjectType[]],
  ) => Promise<TypeVersions>
  /** The versions of these types in an earlier state. */
  readonly findState: (
    ontology: Ontology,
    types: readonly [ObjectType, ...ObjectType[]],
    wanted: EarlierState,
  ) => Promise<TypeVersions>
  /** The commits of a type that are kept, newest first. */
  readonly readTypeCommits: (type: ObjectType, wanted: WantedCommits) => Promise<TypeCommits>
  readonly partitionCollection: (
    type: ObjectType,
    wanted: PartitionOptions,
    signal?: AbortSignal,
  ) => Promise<Partitions>
  /** One page of what is different between two states. */
  readonly readDifference: (wanted: WantedDifference, limits?: ReadLimits) => Promise<Difference>
  /** The newest states of object types of one ontology, by their numbers. */
  readonly newestStates: WatchSources['newestStates']
  /** What has been committed since a walk began. */
  readonly readAggregate: (plan: AggregatePlan, limits: AggregateLimits) => Promise<AggregateRows>
}
