// Objects that a case creates for itself, after all others in the order of the primary key. Existing objects are never
// changed, and the case's objects are deleted when it ends.
import type { BatchLine, ScalarType, ScalarValue } from '@octavo/protocol'
import { skip } from '../clauses/clause-failure.ts'
import type { FreeKeys } from './free-keys.ts'
import { otherScalars } from './known-type.ts'
import type { Filter, OrderKey } from './page-request.ts'
import type { Subject } from './subject.ts'
import type { WireRecord } from './wire-page.ts'
import type { Writer } from '../writer/writer.ts'

export interface OwnObjects {
  /** Matches these objects and no others. */
  readonly filter: Filter
  readonly keyOrder: readonly OrderKey[]
  /** A property whose value a case may choose: its value is the mark as text or number. */
  readonly marked: string
  readonly keyAt: (number: number) => ScalarValue
  /** The objects that exist now, in the order of the primary key. */
  readonly present: () => readonly WireRecord['properties'][]
  /** Written as one batch. A mark of undefined deletes the object. */
  readonly set: (marks: ReadonlyMap<number, number | undefined>) => Promise<void>
  readonly setTo: (numbers: readonly number[], mark: number | undefined) => Promise<void>
  /** Puts one object for each value of the property, as one batch. */
  readonly setValues: (property: string, values: readonly ScalarValue[]) => Promise<void>
}

export async function withOwnObjects(
  subject: Subject,
  work: (own: OwnObjects) => Promise<void>,
): Promise<void> {
  const { writer, freeKeys } = subject
  if (writer === undefined || freeKeys === undefined) {
    skip('needs a writer: give --writer-url or --writer-command')
  }
  const made = new Map<number, WireRecord['properties']>()
  const own = ownObjects(subject, { writer, freeKeys }, made)
  try {
    await work(own)
  } finally {
    await own.setTo([...made.keys()], undefined)
  }
}

interface Writing {
  readonly writer: Writer
  readonly freeKeys: FreeKeys
}

function ownObjects(
  subject: Subject,
  { writer, freeKeys }: Writing,
  made: Map<number, WireRecord['properties']>,
): OwnObjects {
  const { type } = subject
  const keyAt = (number: number) => {
    const key = freeKeys.keys[number]
    if (key === undefined) throw new Error(`a case needs more than ${freeKeys.keys.length} new objects`)
    return key
  }
  const marked = markedProperty(subject)

  const recordOf = (number: number, chosen: Record<string, ScalarValue>): WireRecord['properties'] => ({
    ...subject.sample[number % subject.sample.length]?.properties,
    ...chosen,
    [type.key.name]: keyAt(number),
  })
  const write = async (changes: ReadonlyMap<number, WireRecord['properties'] | undefined>) => {
    const lines = [...changes].map(([number, properties]): BatchLine =>
      properties === undefined ? { type: 'delete', primaryKey: keyAt(number) } : { type: 'put', properties },
    )
    // Recorded first: what was sent must be removed even if the answer is lost.
    for (const [number, properties] of changes) if (properties !== undefined) made.set(number, properties)
    if (lines.length > 0) await writer.write(lines)
    for (const [number, properties] of changes) if (properties === undefined) made.delete(number)
  }
  const set = (marks: ReadonlyMap<number, number | undefined>) =>
    write(
      new Map(
        [...marks].map(([number, mark]) => [
          number,
          mark === undefined ? undefined : recordOf(number, { [marked.name]: marked.valueOf(mark) }),
        ]),
      ),
    )
  return {
    filter: { kind: 'gt', property: type.key.name, value: freeKeys.greatest },
    keyOrder: [{ property: type.key.name, direction: 'asc' }],
    marked: marked.name,
    keyAt,
    present: () => [...made].toSorted(([a], [b]) => a - b).map(([, properties]) => properties),
    set,
    setTo: (numbers, mark) => set(new Map(numbers.map((number) => [number, mark]))),
    setValues: (property, values) =>
      write(new Map(values.map((value, number) => [number, recordOf(number, { [property]: value })]))),
  }
}

interface MarkedProperty {
  readonly name: string
  readonly valueOf: (mark: number) => ScalarValue
}

/** Preferably a sortable property: then a mark also moves its object. */
function markedProperty({ type }: Subject): MarkedProperty {
  const marks: Partial<Record<ScalarType, MarkedProperty['valueOf']>> = {
    integer: (mark) => mark,
    long: String,
    string: (mark) => `octavo-conformance ${String(mark).padStart(6, '0')}`,
  }
  const candidates = otherScalars(type).flatMap(({ name, scalar, sortable }) => {
    const valueOf = scalar && marks[scalar]
    return valueOf === undefined ? [] : [{ name, valueOf, sortable }]
  })
  return (
    candidates.find(({ sortable }) => sortable) ??
    candidates[0] ??
    skip('needs a property of the type string, integer or long beside the primary key')
  )
}
