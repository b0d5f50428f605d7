// Checksums of snapshot walks over the whole type. A server may not know one (P252); what it sends must be right.
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { requireSmallType } from './order-samples.ts'
import { checksumOf } from '../subject/content-checksum.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readWalk, type Walk } from '../subject/read-walk.ts'
import type { Subject } from '../subject/subject.ts'

export const checksumCases: readonly Case[] = [
  {
    clause: 'P250',
    title: 'the checksum of a snapshot walk is the sum of the hashes of its objects',
    revision: '2.0',
    run: async (subject) => {
      demandRightChecksum('P250', await walkOfAll(subject, 'P250', {}))
    },
  },
  {
    clause: 'P251',
    title: 'only the last page has a checksum, whatever the order and the page size',
    revision: '2.0',
    run: async (subject) => {
      const walks = [await walkOfAll(subject, 'P251', {}), await walkOfAll(subject, 'P251', {}, 1_000)]
      const [first, second] = walks.map(checksumIn)
      demand(first === second, {
        clause: 'P251',
        expected: 'the same checksum for the same state',
        found: `${shown(first)} and ${shown(second)}`,
        exchange: walks[1]?.last,
      })
      for (const { pages, last } of walks) {
        demand(
          pages.slice(0, -1).every((page) => !('checksum' in page)),
          { clause: 'P251', expected: 'no checksum on a page that is not the last', exchange: last },
        )
      }
    },
  },
  {
    clause: 'P251',
    title: 'a default walk and a walk of some properties have no checksum',
    revision: '2.0',
    run: async (subject) => {
      for (const ask of [{ snapshot: false }, { select: [] }]) {
        const walk = await walkOfAll(subject, 'P251', ask)
        demand(checksumIn(walk) === undefined, {
          clause: 'P251',
          expected: 'no checksum: the walk does not show one state of all properties',
          exchange: walk.last,
        })
      }
    },
  },
  {
    clause: 'P252',
    title:
      'after every change the checksum is that of the new state, and a walk keeps the checksum of its state',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        await own.setTo([0, 1, 2, 3, 4, 5], 1)
        for (const numbers of [[0, 1, 2, 3], [], [4, 5]]) {
          let changed = false
          const walk = await walkOfAll(subject, 'P252', {}, 3, async () => {
            // Two mistakes that a count does not notice: one object less, another more.
            if (!changed) await own.setTo(numbers, 2)
            changed = true
          })
          demandRightChecksum('P252', walk)
          demandRightChecksum('P252', await walkOfAll(subject, 'P252', {}, 3))
        }
      }),
  },
]

const checksumIn = ({ pages }: Walk): unknown => pages.at(-1)?.['checksum']

async function walkOfAll(
  subject: Subject,
  clause: string,
  ask: PageAsk,
  pageSize = 7,
  betweenPages?: () => Promise<void>,
): Promise<Walk> {
  requireSmallType(subject)
  return readWalk(subject, {
    clause,
    ask: { snapshot: true, ...ask },
    pageSizes: [pageSize],
    ...(betweenPages && { betweenPages }),
  })
}

function demandRightChecksum(clause: string, walk: Walk): void {
  const checksum = checksumIn(walk)
  if (checksum === undefined) skip('the server does not know the checksum of this type')
  const expected = checksumOf(walk.records)
  demand(checksum === expected, {
    clause,
    expected: `the checksum "${expected}", the sum of the hashes of the ${walk.records.length} objects`,
    found: shown(checksum),
    exchange: walk.last,
  })
}
