// The total and the checksum at the end of changes, with which a copy can be compared.
import type { Case } from './case.ts'
import { startOf } from './changes-under-change.ts'
import { isSmallType } from './order-samples.ts'
import { numbers } from './walks-under-change.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { checksumOf } from '../subject/content-checksum.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import type { ChangesAsk } from '../subject/page-request.ts'
import { readChanges, type Difference } from '../subject/read-changes.ts'
import { readWalk } from '../subject/read-walk.ts'
import type { Subject } from '../subject/subject.ts'

export const changesTotals: readonly Case[] = [
  {
    clause: 'P272',
    title: 'the last page, and only that, has the total and the checksum of the later state',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const { since } = await startOf(subject, own, 'P272')
        await own.setTo(numbers(0, 15), 2)
        const read = (ask: Omit<ChangesAsk, 'since'> = {}) =>
          readChanges(subject, {
            clause: 'P272',
            ask: { since, pageSize: 6, ...ask },
            betweenPages: (pages) => own.setTo([20 + pages], 3),
          })
        const whole = await read()
        const expected = await totalsOf(subject, whole)
        for (const [i, page] of whole.pages.entries()) {
          demandTotals(page, i < whole.pages.length - 1 ? neither : expected, whole.last)
        }
        // Of some objects there is neither, and of some properties no checksum.
        const filtered = await read({ filter: own.filter })
        demandTotals(filtered.pages.at(-1) ?? {}, neither, filtered.last)
        const selected = await read({ select: [] })
        const withoutSum = { ...(await totalsOf(subject, selected)), checksum: undefined }
        demandTotals(selected.pages.at(-1) ?? {}, withoutSum, selected.last)
      }),
  },
]

interface Totals {
  readonly totalCount?: unknown
  readonly checksum?: unknown
}

const neither: Totals = { totalCount: undefined, checksum: undefined }

/** What follows from the objects of the later state: those of the sample, which nobody changes, and all those that were put. */
async function totalsOf(subject: Subject, { changes, snapshotToken }: Difference): Promise<Totals> {
  if (!isSmallType(subject)) return {}
  const objects = [
    ...subject.sample,
    ...changes.flatMap((change) => (change.type === 'put' ? [change.object] : [])),
  ]
  const { pages } = await readWalk(subject, { clause: 'P240', ask: { snapshotToken } })
  // A server may not know it (P252).
  const hasSum = pages.at(-1)?.['checksum'] !== undefined
  return { totalCount: String(objects.length), checksum: hasSum ? checksumOf(objects) : undefined }
}

function demandTotals(page: Totals, expected: Totals, exchange: Exchange): void {
  for (const field of ['totalCount', 'checksum'] as const) {
    if (!(field in expected)) continue
    demand(page[field] === expected[field], {
      clause: 'P272',
      expected: `${field} ${shown(expected[field])}, as the later state has it`,
      found: shown(page[field]),
      exchange,
    })
  }
}
