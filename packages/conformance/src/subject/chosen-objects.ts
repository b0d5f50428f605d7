// Small collections with known contents inside any type: a filter on primary keys of the sample.
import type { ScalarValue } from '@octavo/protocol'
import { compareInOrder } from './compare-values.ts'
import { otherScalars, type KnownProperty } from './known-type.ts'
import type { Filter, OrderKey } from './page-request.ts'
import { keyOf, type Subject } from './subject.ts'
import { scalarOf, type WireRecord } from './wire-page.ts'

/** In revision 1.0 the filter is part of the URL, together with a page token that may be long (P111). */
const mostFilterBytes = 6_000

/** This many objects, spread over the whole sample. */
export function spreadObjects({ sample }: Subject, count: number): readonly WireRecord[] {
  const step = sample.length / Math.min(count, sample.length)
  return Array.from(
    { length: Math.min(count, sample.length) },
    (_, i) => sample[Math.floor(i * step)],
  ).filter((record) => record !== undefined)
}

export function filterFor(subject: Subject, records: readonly WireRecord[]): Filter {
  return {
    kind: 'anyOf',
    property: subject.type.key.name,
    values: records.map((record) => keyOf(subject, record)),
  }
}

/** Objects that show most of what can go wrong in an order: some without a value, some with equal values. */
export function tellingObjects(subject: Subject, property: string): readonly WireRecord[] {
  const groups = new Map<ScalarValue | undefined, WireRecord[]>()
  for (const record of subject.sample) {
    const value = scalarOf(record, property)
    groups.set(value, [...(groups.get(value) ?? []), record])
  }
  const without = groups.get(undefined) ?? []
  groups.delete(undefined)
  const byTies = [...groups.values()].toSorted((a, b) => b.length - a.length)
  const chosen = [...without.slice(0, 5), ...byTies.flatMap((group) => group.slice(0, 4))]
  return fitting(subject, chosen.slice(0, 22))
}

function fitting(subject: Subject, records: readonly WireRecord[]): readonly WireRecord[] {
  let bytes = 0
  return records.filter((record) => {
    bytes += encodeURIComponent(`properties.${subject.type.key.name}.eq=${keyOf(subject, record)}`).length
    return bytes <= mostFilterBytes
  })
}

/** Sortable properties, those first whose values are the hardest to order. */
export function orderProperties(subject: Subject): readonly KnownProperty[] {
  const hardness = ({ name }: KnownProperty) => {
    const values = subject.sample.map((record) => scalarOf(record, name))
    const ties = new Set(values).size < values.length
    return Number(values.includes(undefined)) * 2 + Number(ties)
  }
  return otherScalars(subject.type)
    .filter(({ sortable }) => sortable)
    .toSorted((a, b) => hardness(b) - hardness(a))
}

/** The order of P39, P40 and P45: nulls last, and the primary key breaks ties in the direction of the last key. */
export function inOrder(
  subject: Subject,
  records: readonly WireRecord[],
  keys: readonly OrderKey[],
): readonly WireRecord[] {
  const { key, properties } = subject.type
  const last = keys.at(-1)?.direction ?? 'asc'
  return records.toSorted((a, b) => {
    for (const { property, direction } of keys) {
      const scalar = properties.find(({ name }) => name === property)?.scalar ?? 'string'
      const compared = compareInOrder(scalar, direction, scalarOf(a, property), scalarOf(b, property))
      if (compared !== 0) return compared
    }
    return compareInOrder(key.scalar, last, scalarOf(a, key.name), scalarOf(b, key.name))
  })
}
