import { demand } from '../clauses/clause-failure.ts'
import { difference, keysOf, type Walk } from '../subject/read-walk.ts'
import { keyOf, type Subject } from '../subject/subject.ts'

interface SameData {
  readonly clause: string
  readonly walk: Walk
  /** A walk of the same state. */
  readonly as: Walk
  /** For the report. */
  readonly expected: string
}

/** Demands the same objects byte for byte, in the same order. */
export function demandSameData(subject: Subject, { clause, walk, as, expected }: SameData): void {
  const other = walk.records.find((record, i) => JSON.stringify(record) !== JSON.stringify(as.records[i]))
  const found =
    difference(keysOf(subject, walk.records), keysOf(subject, as.records)) ??
    (other && `${JSON.stringify(keyOf(subject, other))} with other values`)
  demand(found === undefined, { clause, expected, found, exchange: walk.last })
}
