// The failures of an aggregate: a part of the table of errors.
import { Type } from 'typebox'

import { row } from './error-row.ts'

const text = Type.String()
const texts = Type.Array(Type.String())
const count = Type.Integer()

const adviceOfPrice = {
  allObjects:
    'To count all objects by the values of a property, have the property declared "counted": true. Otherwise add a query that fewer objects match',
  matches: 'Narrow the query',
  unindexed: 'Add to the query a condition that an index can serve, because it has none',
} as const

const adviceOfMetric = {
  propertyType: 'Use another property, or one of {supported}: {property} has the type {propertyBaseType}.',
  array: 'Use a property that has one value: {property} has the type {propertyBaseType}.',
  tooLarge: 'Narrow the query: this {type} of {property} is larger than a double can be.',
} as const

export const aggregateErrors = {
  AggregateTooExpensive: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      reason: Type.Enum(['allObjects', 'matches', 'unindexed']),
      /** How many would be read, as far as it is known; about as many with `matches`. Absent if a policy hides objects. */
      objectCount: Type.Optional(count),
      limit: Type.Literal('readObjects'),
      maximum: count,
      /** The properties that an index can find objects by. */
      searchable: texts,
    },
    meaning: 'An aggregate would have to read more objects than the deployment allows.',
    advice:
      'Narrow the query, or ask the operator of the service to raise the option --aggregate-objects: an aggregate may read {maximum} objects.',
    adviceFor: ({ reason, searchable }) =>
      `${adviceOfPrice[reason]}${searchable.length === 0 ? ', once a property is declared "searchable": true' : ' ({searchable} can be searched)'}, or ask the operator of the service to raise the option --aggregate-objects: an aggregate may read {maximum} objects.`,
  }),
  AggregationMetricNotSupported: row({
    code: 'INVALID_ARGUMENT',
    parameters: {
      type: text,
      property: text,
      propertyBaseType: text,
      reason: Type.Enum(['propertyType', 'array', 'tooLarge']),
      /** What the type of the property allows. */
      supported: texts,
    },
    meaning: "An aggregation, or a way of grouping, does not apply to the property's type or to its values.",
    advice: adviceOfMetric.propertyType,
    adviceFor: ({ reason }) => adviceOfMetric[reason],
  }),
  AggregationGroupCountExceededLimit: row({
    code: 'INVALID_ARGUMENT',
    parameters: { limit: Type.Enum(['groups', 'bytes']), maximum: count },
    meaning: 'An aggregate has more groups, or longer values, than an answer may have.',
    advice:
      'Narrow the query, group by something with fewer values, or set maxGroupCount, which returns the first groups and says what the others hold: an answer has at most {maximum} {limit}.',
  }),
  InvalidAggregationOrdering: row({
    code: 'INVALID_ARGUMENT',
    parameters: { names: texts },
    meaning: 'More than one metric of an aggregate has a direction.',
    advice: 'Give one of {names} a direction, and leave it out of the others.',
  }),
  InvalidAggregationRange: row({
    code: 'INVALID_ARGUMENT',
    parameters: { property: text, problem: text },
    meaning: 'The ranges, the width or the duration of a grouping cannot form groups.',
    advice: 'Correct the groupBy of {property}: {problem}.',
  }),
}
