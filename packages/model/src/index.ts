export { aggregated, metricOf, nameOf, type ModelMetric } from './contract/aggregate.ts'
export { compareSortKeys, compareValues, sortKeyOf } from './contract/compare-values.ts'
export { canonicalObject, checksumOf, hashOf, xxh64 } from './contract/content-checksum.ts'
export { generateAggregate } from './generate/generate-aggregate.ts'
export { generateFilters, matchesFilters } from './generate/generate-filters.ts'
export {
  generateCallerOf,
  generateLinkedObject,
  generateLinkedQuery,
  generateLinkedTypes,
  type LinkedType,
} from './generate/generate-links.ts'
export { generateObject, generateProperties, generatedKey } from './generate/generate-objects.ts'
export {
  generateAllowedQuery,
  generateCaller,
  generatePolicy,
  type GeneratedPolicy,
} from './generate/generate-policy.ts'
export { generateQuery, withConditionOn } from './generate/generate-query.ts'
export { generateType, type GeneratedType } from './generate/generate-type.ts'
export { WrittenObjects, type ModelChange } from './generate/random-writes.ts'
export { seededRandom, type Random } from './generate/seeded-random.ts'
export { linkedMatches, linkedPairs, type LinkedModel, type ModelLink } from './contract/linked-objects.ts'
export { matchesQuery } from './contract/match-query.ts'
export type { ModelType, Properties } from './contract/model-type.ts'
export { declaredOrder, declaredOrders, expectedOrder, type OrderKey } from './contract/object-order.ts'
export { ObjectVersions } from './contract/object-versions.ts'
export { isVisibleTo, type ModelCaller } from './contract/visible-objects.ts'
