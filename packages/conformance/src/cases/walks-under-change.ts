// Walks while objects are written between two pages. The kit knows every state, so it demands exact equality.
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { orderProperties } from '../subject/chosen-objects.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { difference, keysOf, readWalk, type Walk } from '../subject/read-walk.ts'
import { keyOf, type Subject } from '../subject/subject.ts'
import type { WireRecord } from '../subject/wire-page.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { isSmallType } from './order-samples.ts'

export const numbers = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step)

/** A collection that contains the case's own objects: those alone, or the whole type if it is small. */
interface Range {
  readonly ask: PageAsk
  /** The objects in it that are not the case's own. */
  readonly before: readonly WireRecord[]
}

const rangesOf = (subject: Subject, own: OwnObjects): readonly Range[] => [
  { ask: { filter: own.filter, orderBy: own.keyOrder }, before: [] },
  ...(isSmallType(subject) ? [{ ask: {}, before: subject.sample }] : []),
]

/** The first page covers all other objects, so that only pages with own objects are small. */
const sizesFor = ({ before }: Range, small: number): readonly number[] =>
  before.length === 0 ? [small] : [before.length + 2, small]

export const walksUnderChange: readonly Case[] = [
  {
    clause: 'P248',
    title: 'a later page of a walk in default mode has a later version if something was committed',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        await own.setTo([0, 1, 2, 3, 4, 5], 1)
        const ask = { filter: own.filter, orderBy: own.keyOrder, pageSize: 3 }
        const first = await readPage(subject, 'P248', ask)
        await own.setTo([0, 1], 2)
        const second = await readPage(subject, 'P248', { ...ask, pageToken: first.page.nextPageToken })
        const [before, after] = [first.page['version'], second.page['version']]
        const isLater =
          typeof before === 'string' && typeof after === 'string' && Number(after) > Number(before)
        demand(isLater, {
          clause: 'P248',
          expected: `a later version than that of the first page, ${shown(before)}`,
          found: shown(after),
          exchange: second.exchange,
        })
      }),
  },
  {
    clause: 'P32',
    title: 'in default mode a later page shows what was written after the first',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        await own.setTo([0, 2, 4, 6], 1)
        const ask = { filter: own.filter, orderBy: own.keyOrder }
        const first = await readPage(subject, 'P32', { ...ask, pageSize: 2 })
        await own.set(
          new Map([
            [5, 2],
            [4, undefined],
            [6, 2],
          ]),
        )
        const { nextPageToken } = first.page
        const second = await readPage(subject, 'P32', { ...ask, pageSize: 10, pageToken: nextPageToken })
        demandState(subject, 'P32', second.page.data, own.present().slice(2), second.exchange)
      }),
  },
  {
    clause: 'P33',
    title: 'in key order, an object that exists all through a default walk comes exactly once',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const stay = numbers(0, 40, 2)
        for (const range of rangesOf(subject, own)) {
          await own.setTo(numbers(0, 40), 1)
          const { records, last } = await readWalk(subject, {
            clause: 'P33',
            ask: range.ask,
            pageSizes: sizesFor(range, 3),
            // Objects already read are deleted and created in turn, so that every later page starts at another row number.
            betweenPages: (pages) =>
              own.setTo(numbers(1, 40, 2).slice(0, 12), pages % 2 === 0 ? 1 : undefined),
          })
          const kept = new Set<unknown>([...keysOf(subject, range.before), ...stay.map(own.keyAt)])
          demandOnce('P33', subject, records, kept, last)
        }
      }),
  },
  {
    clause: 'P34',
    title: 'in another order, an object that keeps its place comes exactly once',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        if (!orderProperties(subject).some(({ name }) => name === own.marked)) {
          skip('needs a sortable property of the type string, integer or long')
        }
        const stay = numbers(0, 30, 2)
        const wander = numbers(1, 30, 2)
        await own.set(new Map(numbers(0, 30).map((number) => [number, 100 + (number % 7)])))
        const { records, last } = await readWalk(subject, {
          clause: 'P34',
          ask: { filter: own.filter, orderBy: [{ property: own.marked, direction: 'asc' }] },
          pageSizes: [3],
          betweenPages: (pages) =>
            own.set(new Map(wander.slice(0, 9).map((number) => [number, pages % 2 === 0 ? 101 : 99]))),
        })
        const kept = new Set<unknown>(stay.map(own.keyAt))
        demandOnce(
          'P34',
          subject,
          records.filter((each) => kept.has(keyOf(subject, each))),
          kept,
          last,
        )
      }),
  },
  {
    clause: 'P35',
    title: 'a snapshot walk is exactly the state of its first page, whatever is written meanwhile',
    writes: true,
    run: (subject) =>
      snapshotWalks(subject, 'P35', ({ walk, range, state }) =>
        demandState(subject, 'P35', walk.records.slice(range.before.length), state, walk.last),
      ),
  },
  {
    clause: 'P68',
    title: 'the totalCount of a snapshot walk stays the number at the snapshot',
    revision: '1.0',
    writes: true,
    run: (subject) =>
      snapshotWalks(subject, 'P68', ({ walk, range, state }) =>
        demandTotals('P68', walk, range.before.length + state.length),
      ),
  },
  {
    clause: 'P150',
    title: 'the totalCount of a snapshot walk, if it has one, stays the number at the snapshot',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      snapshotWalks(subject, 'P150', ({ walk, range, state }) => {
        if (walk.pages.every(({ totalCount }) => totalCount === undefined)) return
        demandTotals('P150', walk, range.before.length + state.length)
      }),
  },
  {
    clause: 'P36',
    title: 'a snapshot is still readable after it stopped being the latest state',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        await own.setTo(numbers(0, 6), 1)
        const state = own.present()
        const ask = { filter: own.filter, orderBy: own.keyOrder, snapshot: true }
        const first = await readPage(subject, 'P36', { ...ask, pageSize: 2 })
        for (const mark of numbers(2, 12)) await own.setTo(numbers(0, 6), mark)
        const { nextPageToken } = first.page
        const rest = await readPage(subject, 'P36', { ...ask, pageSize: 10, pageToken: nextPageToken })
        demandState(subject, 'P36', [...first.page.data, ...rest.page.data], state, rest.exchange)
      }),
  },
  {
    clause: 'P38',
    title: 'an acknowledged commit is in the next default page and the next snapshot',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const ask = { filter: own.filter, orderBy: own.keyOrder }
        for (const mark of numbers(1, 8)) {
          await own.setTo([mark % 3], mark % 4 === 0 ? undefined : mark)
          for (const snapshot of [false, true]) {
            const { page, exchange } = await readPage(subject, 'P38', { ...ask, snapshot })
            demandState(subject, 'P38', page.data, own.present(), exchange)
          }
        }
      }),
  },
]

interface SnapshotWalk {
  readonly range: Range
  readonly walk: Walk
  /** The own objects when the first page was read. */
  readonly state: readonly WireRecord['properties'][]
}

/** Walks in snapshot mode while objects are deleted, created and changed before and after the walk's position. */
const snapshotWalks = (
  subject: Subject,
  clause: string,
  judge: (snapshot: SnapshotWalk) => void,
): Promise<void> =>
  withOwnObjects(subject, async (own) => {
    for (const range of rangesOf(subject, own)) {
      await own.setTo(numbers(0, 20), 1)
      await own.setTo(numbers(20, 30), undefined)
      const state = own.present()
      const walk = await readWalk(subject, {
        clause,
        ask: { ...range.ask, snapshot: true },
        pageSizes: sizesFor(range, 3),
        betweenPages: (read) =>
          own.set(
            new Map([
              [0, undefined],
              [19, undefined],
              [10, 10 + read],
              [18, 10 + read],
              [20 + (read % 10), read],
            ]),
          ),
      })
      judge({ range, walk, state })
    }
  })

function demandTotals(clause: string, { pages, last }: Walk, objects: number): void {
  const wrong = pages.find(({ totalCount }) => totalCount !== String(objects))
  demand(wrong === undefined, {
    clause,
    expected: `totalCount "${objects}", the number at the snapshot, on every page`,
    found: shown(wrong?.totalCount),
    exchange: last,
  })
}

function demandOnce(
  clause: string,
  subject: Subject,
  records: readonly WireRecord[],
  kept: ReadonlySet<unknown>,
  exchange: Exchange,
): void {
  const keys = keysOf(subject, records)
  const repeated = keys.filter((key, i) => keys.indexOf(key) !== i)
  const found =
    repeated.length > 0
      ? `${repeated.length} returned twice, such as ${JSON.stringify(repeated[0])}`
      : difference(
          [...kept].filter((key) => keys.some((each) => each === key)),
          [...kept],
        )
  demand(found === undefined, {
    clause,
    expected: `each of the ${kept.size} objects that existed all through the walk exactly once`,
    found,
    exchange,
  })
}

/** Demands the same objects with the same values, in the same order. */
export function demandState(
  subject: Subject,
  clause: string,
  records: readonly WireRecord[],
  state: readonly WireRecord['properties'][],
  exchange: Exchange,
): void {
  const expected = state.map((properties) => keyOf(subject, { properties }))
  const wrong =
    difference(keysOf(subject, records), expected) ??
    records
      .filter(({ properties }, i) => sorted(properties) !== sorted(state[i] ?? {}))
      .map((record) => `${JSON.stringify(keyOf(subject, record))} with other values`)[0]
  demand(wrong === undefined, {
    clause,
    expected: `the ${expected.length} objects as they were written`,
    found: wrong,
    exchange,
  })
}

const sorted = (properties: WireRecord['properties']): string =>
  JSON.stringify(Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1)))
