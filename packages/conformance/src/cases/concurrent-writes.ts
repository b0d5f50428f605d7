// A writer that never stops, while pages are read. Every batch writes one mark into all its objects, so a state with two
// marks is not the state of any commit; or it replaces all objects by as many others, so every state has the same number.
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import { countOf, requireCount } from '../subject/count-of.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import type { Subject } from '../subject/subject.ts'
import type { WireRecord } from '../subject/wire-page.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'

const objects = Array.from({ length: 12 }, (_, i) => i)

/** Each writer writes one batch after another until the work is done. */
export async function whileWriting(
  writers: readonly ((mark: number) => Promise<void>)[],
  work: () => Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const writing = Promise.all(
    writers.map(async (write) => {
      for (let mark = 1; !done.signal.aborted; mark += 1) await write(mark)
    }),
  )
  // If a writer fails while pages are read, the await below throws the failure.
  writing.catch(() => {})
  try {
    await work()
  } finally {
    done.abort()
    await writing
  }
}

const whileAllChange = (
  subject: Subject,
  work: (own: OwnObjects) => Promise<void>,
  write = (own: OwnObjects, mark: number) => own.setTo(objects, mark),
): Promise<void> =>
  withOwnObjects(subject, async (own) => {
    await own.setTo(objects, 0)
    await whileWriting([(mark) => write(own, mark)], () => work(own))
  })

const marksIn = (own: OwnObjects, records: readonly WireRecord[]): readonly unknown[] => [
  ...new Set(records.map(({ properties }) => properties[own.marked])),
]

export const concurrentWrites: readonly Case[] = [
  {
    clause: 'P35',
    title: 'all pages of a snapshot walk show one commit, while others are being written',
    writes: true,
    run: (subject) =>
      whileAllChange(subject, async (own) => {
        for (let round = 0; round < 15; round += 1) {
          const { records, last } = await readWalk(subject, {
            clause: 'P35',
            ask: { filter: own.filter, orderBy: own.keyOrder, snapshot: true },
            pageSizes: [2, 4],
            knownObjects: objects.length,
          })
          const marks = marksIn(own, records)
          demand(records.length === objects.length && marks.length === 1, {
            clause: 'P35',
            expected: `${objects.length} objects that all carry the mark of one commit in ${own.marked}`,
            found: `${records.length} objects with the marks ${marks.slice(0, 5).join(', ')}`,
            exchange: last,
          })
        }
      }),
  },
  {
    clause: 'P37',
    title: 'a page shows whole commits only, in either mode',
    writes: true,
    run: (subject) =>
      whileAllChange(subject, async (own) => {
        for (let round = 0; round < 40; round += 1) {
          const { page, exchange } = await readPage(subject, 'P37', {
            filter: own.filter,
            orderBy: own.keyOrder,
            snapshot: round % 2 === 0,
          })
          const marks = marksIn(own, page.data)
          demand(page.data.length === objects.length && marks.length === 1, {
            clause: 'P37',
            expected: `${objects.length} objects that all carry the mark of one batch in ${own.marked}`,
            found: `${page.data.length} objects with the marks ${marks.slice(0, 5).join(', ')}`,
            exchange,
          })
        }
      }),
  },
  {
    clause: 'P245',
    title: 'a count is of one state, while others are being written',
    revision: '2.0',
    writes: true,
    run: async (subject) => {
      await requireCount(subject)
      await whileAllChange(
        subject,
        async (own) => {
          for (let round = 0; round < 40; round += 1) {
            const { total, exchange } = await countOf(subject, { filter: own.filter })
            demand(total === objects.length, {
              clause: 'P245',
              expected: `totalCount "${objects.length}", since every commit leaves as many objects`,
              found: `${total}`,
              exchange,
            })
          }
        },
        replaceAll,
      )
    },
  },
]

/** Deletes all objects and creates as many others, as one batch. */
const replaceAll = (own: OwnObjects, mark: number): Promise<void> => {
  const [gone, come] = mark % 2 === 0 ? [objects.length, 0] : [0, objects.length]
  return own.set(
    new Map([
      ...objects.map((number) => [gone + number, undefined] as const),
      ...objects.map((number) => [come + number, mark] as const),
    ]),
  )
}
