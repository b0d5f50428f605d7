// A writer that never stops, while pages are read. Every batch writes one mark into all its objects, so a state with two
// marks is not the state of any commit.
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import type { Subject } from '../subject/subject.ts'
import type { WireRecord } from '../subject/wire-page.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'

const objects = Array.from({ length: 12 }, (_, i) => i)

async function whileWriting(subject: Subject, work: (own: OwnObjects) => Promise<void>): Promise<void> {
  await withOwnObjects(subject, async (own) => {
    await own.setTo(objects, 0)
    const done = new AbortController()
    const writing = (async () => {
      for (let mark = 1; !done.signal.aborted; mark += 1) await own.setTo(objects, mark)
    })()
    // If the writer fails while pages are read, the await below throws the failure.
    writing.catch(() => {})
    try {
      await work(own)
    } finally {
      done.abort()
      await writing
    }
  })
}

const marksIn = (own: OwnObjects, records: readonly WireRecord[]): readonly unknown[] => [
  ...new Set(records.map(({ properties }) => properties[own.marked])),
]

export const concurrentWrites: readonly Case[] = [
  {
    clause: 'P35',
    title: 'all pages of a snapshot walk show one commit, while others are being written',
    writes: true,
    run: (subject) =>
      whileWriting(subject, async (own) => {
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
      whileWriting(subject, async (own) => {
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
]
