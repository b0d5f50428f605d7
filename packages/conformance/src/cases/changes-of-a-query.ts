// Changes of the objects that match a query: some come to match it, and others no longer do.
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import type { ScalarValue } from '@octavo/protocol'
import { otherScalars } from '../subject/known-type.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { latestState, readChanges } from '../subject/read-changes.ts'
import type { Subject } from '../subject/subject.ts'

interface Searched {
  readonly property: string
  readonly matching: ScalarValue
  readonly other: ScalarValue
}

const valuesOf = { string: ['octavo-conformance', 'other'], integer: [1, 2], long: ['1', '2'] } as const

function searched({ type }: Subject): Searched {
  for (const { name, scalar, searchable } of otherScalars(type)) {
    if (searchable && (scalar === 'string' || scalar === 'integer' || scalar === 'long')) {
      const [matching, other] = valuesOf[scalar]
      return { property: name, matching, other }
    }
  }
  return skip('needs a searchable property of the type string, integer or long beside the primary key')
}

/** Objects 0 to 3 match, and 4 to 7 do not. */
async function writeBefore(own: OwnObjects, { property, matching, other }: Searched): Promise<void> {
  await own.setValues(property, [...Array(4).fill(matching), ...Array(4).fill(other)] as ScalarValue[])
}

/** The even ones change sides; 3, which matched, and 7, which did not, are deleted. */
async function writeAfter(own: OwnObjects, { property, matching, other }: Searched): Promise<void> {
  await own.setValues(property, [other, matching, other, matching, matching, other, matching, other])
  await own.setTo([3, 7], undefined)
}

export const changesOfAQuery: readonly Case[] = [
  {
    clause: 'P273',
    title:
      'with a query, what comes to match is put, and what no longer does has left, or is deleted if it is gone',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const found = searched(subject)
        await writeBefore(own, found)
        const since = await latestState(subject, 'P273')
        await writeAfter(own, found)
        const { property, matching } = found
        const { changes, last } = await readChanges(subject, {
          clause: 'P273',
          ask: { since, filter: { kind: 'anyOf', property, values: [matching] }, select: [], pageSize: 2 },
        })
        const keyAt = (number: number) => String(own.keyAt(number))
        const textOf = (key: string, what: string) => `${key} ${what}`
        const named = changes.map((change) =>
          textOf(change.primaryKey, change.type === 'put' ? 'put' : change.reason),
        )
        const expected = [
          textOf(keyAt(0), 'left'),
          textOf(keyAt(2), 'left'),
          textOf(keyAt(3), 'deleted'),
          textOf(keyAt(4), 'put'),
          textOf(keyAt(6), 'put'),
        ]
        // One that matched before and after may be put, though it is the same.
        const others = named.filter((each) => each !== textOf(keyAt(1), 'put'))
        demand(JSON.stringify(others.toSorted()) === JSON.stringify(expected.toSorted()), {
          clause: 'P273',
          expected: expected.join(', '),
          found: others.join(', ') || 'nothing',
          exchange: last,
        })
        const whole = changes.find(
          (change) => change.type === 'put' && Object.keys(change.object.properties).length !== 1,
        )
        demand(whole === undefined, {
          clause: 'P273',
          expected: 'only the primary key among the properties, since select names none',
          exchange: last,
        })
      }),
  },
]
