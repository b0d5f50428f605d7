// Asks for an aggregate, and checks what must be true of every one.
import { aggregateSchema, type Aggregate, type AggregateGroup, type ScalarValue } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { filterFor, spreadObjects } from './chosen-objects.ts'
import { shortest } from './exact-numbers.ts'
import { otherScalars, type KnownProperty } from './known-type.ts'
import { aggregateRequest, type AggregateAsk, type Filter } from './page-request.ts'
import type { Subject } from './subject.ts'
import { isMissing } from './take-snapshot.ts'
import { scalarOf, type WireRecord } from './wire-page.ts'

export interface Aggregated extends Aggregate {
  readonly exchange: Exchange
}

export const count = { type: 'count' } as const

const shape = Compile(aggregateSchema)

/** `clause` is the clause that is broken if the request is refused. */
export async function aggregateOf(
  { collection, send }: Subject,
  clause: string,
  ask: AggregateAsk,
): Promise<Aggregated> {
  const exchange = await send(aggregateRequest(collection, ask))
  demand(exchange.status === 200, {
    clause,
    expected: `200 and an aggregate${isMissing(exchange) ? ': every server has this endpoint' : ''}`,
    exchange,
  })
  const { body } = exchange
  demand(shape.Check(body), {
    clause: 'P300',
    expected: 'data with a group and its metrics in each element, and version',
    exchange,
  })
  return { ...body, exchange }
}

/** The values of the metrics of the only group. */
export function metricsOf({ data, exchange }: Aggregated): readonly (ScalarValue | undefined)[] {
  const [group] = data
  demand(data.length === 1 && group !== undefined && Object.keys(group.group).length === 0, {
    clause: 'P300',
    expected: 'exactly one element, whose group is {}, since nothing is grouped',
    exchange,
  })
  return group.metrics.map(({ value }) => value)
}

export function demandMetrics(
  aggregated: Aggregated,
  clause: string,
  expected: readonly (ScalarValue | undefined)[],
): void {
  const found = metricsOf(aggregated)
  demand(JSON.stringify(found) === JSON.stringify(expected), {
    clause,
    expected: `the values ${shownValues(expected)}`,
    found: shownValues(found),
    exchange: aggregated.exchange,
  })
}

const shownValues = (values: readonly unknown[]): string => values.map(shown).join(', ')

type Group = readonly [value: AggregateGroup['group'][string], count: number]

/** Demands these groups of one field, with their counts as the only metric, in this order. */
export function demandGroups(
  { data, exchange }: Aggregated,
  clause: string,
  { field, groups }: { readonly field: string; readonly groups: readonly Group[] },
): void {
  const found = data.map(({ group, metrics }) => [group[field], metrics[0]?.value])
  demand(JSON.stringify(found) === JSON.stringify(groups), {
    clause,
    expected: `the groups ${shown(groups)}, each with the number of its objects`,
    found: shown(found),
    exchange,
  })
}

/** Some objects, and the filter that only they match. */
export interface Chosen {
  readonly objects: readonly WireRecord[]
  readonly filter: Filter
}

export function chosenObjects(subject: Subject): Chosen {
  const objects = spreadObjects(subject, 20)
  return { objects, filter: filterFor(subject, objects) }
}

/** Properties that can be aggregated (P306), beside the primary key. */
export const aggregable = ({ type }: Subject): readonly KnownProperty[] =>
  otherScalars(type).filter(({ searchable, sortable }) => searchable || sortable)

/** A property of one of these types, preferably one that some of the objects lack. */
export function propertyOf(
  subject: Subject,
  scalars: readonly string[],
  objects: readonly WireRecord[] = subject.sample,
): KnownProperty {
  const found = aggregable(subject).filter(({ scalar }) => scalars.includes(String(scalar)))
  const lacks = ({ name }: KnownProperty) => objects.some((object) => scalarOf(object, name) === undefined)
  const hasSome = ({ name }: KnownProperty) => objects.some((object) => scalarOf(object, name) !== undefined)
  const [first] = [...found.filter((each) => lacks(each) && hasSome(each)), ...found.filter(hasSome)]
  return first ?? skip(`needs a searchable or sortable property of the type ${scalars.join(', ')}`)
}

export const numeric = ['integer', 'long', 'decimal', 'double'] as const

/** The values of a property, in the form in which aggregates show them (P302). */
export const valuesOf = (
  objects: readonly WireRecord[],
  { name, scalar }: KnownProperty,
): readonly ScalarValue[] =>
  objects
    .map((object) => scalarOf(object, name))
    .filter((value) => value !== undefined)
    .map((value) => (scalar === 'decimal' ? shortest(value) : Object.is(value, -0) ? 0 : value))

/** Skips the case if the server has no aggregates at all, which the first case of P300 reports. */
export async function requireAggregates({ collection, send }: Subject): Promise<void> {
  const exchange = await send(aggregateRequest(collection, { aggregation: [count] }))
  if (isMissing(exchange)) skip(`needs aggregates: the server does not know POST ${exchange.sent.path}`)
}
