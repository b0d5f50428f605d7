// Links while objects are written. The kit writes only the type that it checks, so it searches around from its own objects.
import type { ScalarValue } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'
import { numbers } from './walks-under-change.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { keyText, linkQuery, linksOf, readPairs } from '../subject/follow-link.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { queryOf } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { askForPage, keyOf, type Subject } from '../subject/subject.ts'
import { surveyOther } from '../subject/survey.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

interface Around {
  readonly own: OwnObjects
  readonly link: string
  readonly property: string
  /** The type that the link leads to, and the search around from the type that the kit checks. */
  readonly target: Subject
  readonly around: Subject
  /** Keys of objects that are there. */
  readonly keys: readonly ScalarValue[]
}

const mostKeys = 5

async function withLink(subject: Subject, work: (around: Around) => Promise<void>): Promise<void> {
  const found = linksOf(subject).find(
    ({ cardinality, foreignKeyProperty, objectType }) =>
      cardinality === 'ONE' &&
      foreignKeyProperty !== undefined &&
      objectType !== subject.collection.objectType,
  )
  if (found?.foreignKeyProperty === undefined)
    return skip('needs a link to another type, through a property that holds one key')
  const { apiName: link, foreignKeyProperty: property } = found
  const target = await surveyOther(subject, found.objectType)
  const keys = target.sample.slice(0, mostKeys).map((record) => keyOf(target, record))
  if (keys.length < 2) skip(`needs at least 2 objects of ${found.objectType}`)
  const around = { ...target, collection: { ...subject.collection, through: { link } } }
  await withOwnObjects(subject, (own) => work({ own, link, property, target, around, keys }))
}

/** The state in which each key is held twice, and later by none but the last. */
const writeBefore = ({ own, property, keys }: Around) => own.setValues(property, [...keys, ...keys])

const writeAfter = ({ own, property, keys }: Around) =>
  own.setValues(
    property,
    numbers(0, keys.length * 2).map(() => keys.at(-1) ?? ''),
  )

function demandKeys(
  { target, keys }: Around,
  clause: string,
  { records, last }: Pick<Awaited<ReturnType<typeof readWalk>>, 'records' | 'last'>,
): void {
  const found = difference(keysOf(target, records).map(String).toSorted(), keys.map(String).toSorted())
  demand(found === undefined, {
    clause,
    expected: `the ${keys.length} objects that the links led to in the state of the first page, each once`,
    found,
    exchange: last,
  })
}

export const linksUnderChange: readonly Case[] = [
  {
    clause: 'P322',
    title: 'a snapshot walk through a link stays in one state of both types, whatever is written meanwhile',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withLink(subject, async (linked) => {
        await writeBefore(linked)
        const walk = await readWalk(linked.around, {
          clause: 'P327',
          ask: { snapshot: true, filter: linked.own.filter },
          pageSizes: [1],
          knownObjects: linked.keys.length,
          betweenPages: () => writeAfter(linked),
        })
        demandKeys(linked, 'P322', walk)
      }),
  },
  {
    clause: 'P322',
    title: 'a page in default mode shows the links as they are when it is read',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withLink(subject, async (linked) => {
        await writeBefore(linked)
        await writeAfter(linked)
        const { page, exchange } = await readPage(linked.around, 'P327', { filter: linked.own.filter })
        const found = keysOf(linked.target, page.data)
        demand(JSON.stringify(found) === JSON.stringify(linked.keys.slice(-1)), {
          clause: 'P322',
          expected: `only ${shown(linked.keys.at(-1))}, to which all links lead now`,
          found: shown(found),
          exchange,
        })
      }),
  },
  {
    clause: 'P322',
    title: 'a snapshot token names the state of both types, or the request is refused',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withLink(subject, async (linked) => {
        await requireSnapshotTokens(subject)
        const { own, around, target } = linked
        await writeBefore(linked)
        const types = [subject.collection.objectType, target.collection.objectType]
        const { token: both } = await takeSnapshot(subject, 'P241', types)
        const { token: one } = await takeSnapshot(subject, 'P241', types.slice(1))
        await writeAfter(linked)
        const ask = { filter: own.filter, pageSize: 2 }
        demandKeys(
          linked,
          'P322',
          await readWalk(around, {
            clause: 'P322',
            ask: { filter: own.filter, snapshotToken: both },
            pageSizes: [2],
            knownObjects: linked.keys.length,
          }),
        )
        demandRefusal(await askForPage(around, { ...ask, snapshotToken: one }), {
          clause: 'P322',
          name: 'InvalidSnapshotToken',
          parameters: { reason: 'otherObjectType' },
          because: `the token does not name the state of ${subject.collection.objectType}`,
        })
      }),
  },
  {
    clause: 'P324',
    title: 'a key that no object has leads to nothing, and is no error',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withLink(subject, async ({ own, link, property, target, keys }) => {
        const [there = ''] = keys
        await own.setValues(property, [await unusedKey(target), there])
        const query = { type: 'and', value: [queryOf(own.filter), linkQuery(link)] }
        const { page, exchange } = await readPage(subject, 'P324', { pageSize: 10 }, { extra: { query } })
        const found = page.data.map((record) => keyText(subject, record))
        demand(JSON.stringify(found) === JSON.stringify([String(own.keyAt(1))]), {
          clause: 'P324',
          expected: 'only the object whose link leads to one that is there',
          found: shown(found),
          exchange,
        })
        const { pairs, last } = await readPairs(subject, 'P324', { link, filter: own.filter })
        const expected = [{ source: String(own.keyAt(1)), target: String(there) }]
        demand(JSON.stringify(pairs) === JSON.stringify(expected), {
          clause: 'P324',
          expected: `only the pair ${shown(expected[0])}`,
          found: shown(pairs),
          exchange: last,
        })
      }),
  },
]
