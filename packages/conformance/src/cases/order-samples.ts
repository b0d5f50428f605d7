// Objects of the sample that show one property of an order, and no other.
import type { ScalarValue } from '@octavo/protocol'
import { skip } from '../clauses/clause-failure.ts'
import type { Subject } from '../subject/subject.ts'
import { scalarOf, type WireRecord } from '../subject/wire-page.ts'

/** Only small types are walked as a whole. */
const mostInWholeWalk = 300

export const isSmallType = ({ isWhole, sample }: Subject): boolean =>
  isWhole && sample.length <= mostInWholeWalk

export function requireSmallType(subject: Subject): void {
  if (!isSmallType(subject)) {
    skip(`needs a type of at most ${mostInWholeWalk} objects, to read all of them`)
  }
}

const valuesOf = (subject: Subject, property: string) =>
  subject.sample.map((record) => ({ record, value: scalarOf(record, property) }))

export const withValue = (subject: Subject, property: string): readonly WireRecord[] =>
  valuesOf(subject, property)
    .filter(({ value }) => value !== undefined)
    .map(({ record }) => record)

export const withoutValue = (subject: Subject, property: string): readonly WireRecord[] =>
  valuesOf(subject, property)
    .filter(({ value }) => value === undefined)
    .map(({ record }) => record)

/** Some groups of objects that share a value. */
export function tied(subject: Subject, property: string): readonly WireRecord[] {
  const groups = Map.groupBy(withValue(subject, property), (record) => scalarOf(record, property))
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .slice(0, 3)
    .flatMap((group) => group.slice(0, 4))
}

/** One object per value; at most sixteen, unless all values differ. */
export function distinctValues(subject: Subject, property: string): readonly WireRecord[] {
  const byValue = new Map<ScalarValue, WireRecord>()
  for (const { record, value } of valuesOf(subject, property)) {
    if (value !== undefined && !byValue.has(value)) byValue.set(value, record)
  }
  return byValue.size === subject.sample.length && isSmallType(subject)
    ? subject.sample
    : [...byValue.values()].slice(0, 16)
}
