// Partitions of a collection that does not change. The first case of each clause fails on a server without partitions, and the others are
// then skipped, so that each clause is reported once.
import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { isSmallType, requireSmallType } from './order-samples.ts'
import { demandRefusal } from './refusal.ts'
import { demandSameData } from './same-data.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { otherScalars } from '../subject/known-type.ts'
import { partitionsRequest, type OrderKey, type PartitionsAsk } from '../subject/page-request.ts'
import { readPage, sizesOf } from '../subject/read-page.ts'
import { readWalk, type Walk } from '../subject/read-walk.ts'
import {
  joined,
  readPartitions,
  requirePartitions,
  partitionObjects,
  type PartitionedState,
} from '../subject/partition.ts'
import type { Subject } from '../subject/subject.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

const most = limits.partitions.maximum

export const partitionCases: readonly Case[] = [
  {
    clause: 'P253',
    title: 'the latest state is split into at least one partition and at most as many as asked',
    revision: '2.0',
    run: async (subject) => {
      const { page } = await readPage(subject, 'P35', { pageSize: 1, snapshot: true })
      for (const filter of [undefined, filterFor(subject, spreadObjects(subject, 3))]) {
        for (const partitionCount of [1, 2, 5, most]) {
          const split = await partitionObjects(subject, 'P253', { partitionCount, filter })
          demandVersion(split, page['version'])
        }
      }
    },
  },
  {
    clause: 'P253',
    title: 'a split with a snapshot token is of the state that it names',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      await requireSnapshotTokens(subject)
      const { token: snapshotToken, version } = await takeSnapshot(subject, 'P253')
      demandVersion(await partitionObjects(subject, 'P253', { partitionCount: 3, snapshotToken }), version)
      demandRefusal(
        await subject.send(
          partitionsRequest(subject.collection, { partitionCount: 3, snapshotToken: 'AAAA' }),
        ),
        {
          clause: 'P242',
          name: 'InvalidSnapshotToken',
          parameters: { reason: 'malformed' },
          because: 'the server did not make this token',
        },
      )
    },
  },
  {
    clause: 'P253',
    title: 'a number of partitions that is missing or not from 1 to 64 is refused, and so is an order',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      const { collection, send } = subject
      for (const partitionCount of [undefined, 0, -1, most + 1, 1.5, '2']) {
        demandRefusal(await send(partitionsRequest(collection, { partitionCount })), {
          clause: 'P253',
          name: 'Conjure:UnprocessableEntity',
          because: `partitionCount is ${shown(partitionCount)}`,
        })
      }
      demandRefusal(
        await send(partitionsRequest(collection, { partitionCount: 2 }, { orderBy: { fields: [] } })),
        {
          clause: 'P27',
          name: 'UnknownParameter',
          parameters: { unknownParameters: ['orderBy'] },
          because: 'partitions are in the order of the primary key',
        },
      )
    },
  },
  {
    clause: 'P255',
    title:
      'the partitions of a query are what matches, each object in one partition, in the order of the primary key',
    revision: '2.0',
    run: async (subject) => {
      await partitionObjects(subject, 'P255', { partitionCount: 2 })
      const filter = filterFor(subject, spreadObjects(subject, 20))
      for (const [partitionCount, pageSize] of [
        [1, 7],
        [2, 1],
        [5, 3],
        [most, 2],
      ] as const) {
        await demandWhole(subject, { partitionCount, filter }, [pageSize])
      }
      const other = otherScalars(subject.type).find(({ searchable }) => searchable)
      if (other === undefined || !isSmallType(subject)) return
      // A walk of this query may be in the order of this property (P41).
      const withValue = { kind: 'isNull', property: other.name, value: false } as const
      await demandWhole(subject, { partitionCount: 5, filter: withValue }, [3])
    },
  },
  {
    clause: 'P255',
    title: 'the partitions one after the other are the collection, whatever their number and the page sizes',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      requireSmallType(subject)
      const [selected] = otherScalars(subject.type)
      for (const [partitionCount, pageSizes] of [
        [1, [7]],
        [2, [1]],
        [2, [sizesOf('2.0').maximum]],
        [5, [3, 1, 4]],
        [most, [2]],
      ] as const) {
        await demandWhole(subject, { partitionCount }, pageSizes)
      }
      if (selected !== undefined)
        await demandWhole(subject, { partitionCount: 3, select: [selected.name] }, [5])
    },
  },
  {
    clause: 'P257',
    title:
      'totalCount is of all partitions together, and neither a query nor the pages of a partition have one',
    revision: '2.0',
    run: async (subject) => {
      const split = await partitionObjects(subject, 'P257', { partitionCount: 2 })
      // Both are missing if the type has a policy (P150).
      const { page } = await readPage(subject, 'P150', { pageSize: 1, snapshotToken: split.snapshotToken })
      demand(split.totalCount === page.totalCount, {
        clause: 'P257',
        expected: `the totalCount of a snapshot walk, ${shown(page.totalCount)}`,
        found: shown(split.totalCount),
        exchange: split.exchange,
      })
      const filter = filterFor(subject, spreadObjects(subject, 12))
      const filtered = await partitionObjects(subject, 'P257', { partitionCount: 2, filter })
      const selected = await partitionObjects(subject, 'P257', { partitionCount: 2, select: [] })
      demand(!('totalCount' in filtered) && !('checksum' in filtered) && !('checksum' in selected), {
        clause: 'P257',
        expected: 'no totalCount and no checksum of some objects, and no checksum of some properties',
        exchange: 'checksum' in selected ? selected.exchange : filtered.exchange,
      })
      demandNoTotals(await readPartitions(subject, filtered, { clause: 'P254', pageSizes: [4] }))
      for (const { pageToken } of split.data) {
        const ask = { snapshotToken: split.snapshotToken, pageToken, pageSize: 2 }
        const read = await readPage(subject, 'P254', ask)
        demandNoTotals([{ pages: [read.page], last: read.exchange }])
      }
    },
  },
  {
    clause: 'P257',
    title: 'totalCount and checksum of the answer are those of a walk of the whole state',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      requireSmallType(subject)
      await demandTotals(subject, await partitionObjects(subject, 'P257', { partitionCount: 3 }))
    },
  },
  {
    clause: 'P258',
    title: 'no partition is much larger than the others, and estimatedObjectCount is right on the whole',
    revision: '2.0',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 12))
      const filtered = await partitionObjects(subject, 'P258', { partitionCount: 3, filter })
      demand(
        filtered.data.every((partition) => !('estimatedObjectCount' in partition)),
        {
          clause: 'P258',
          expected: 'no estimatedObjectCount of filtered objects',
          exchange: filtered.exchange,
        },
      )
      requireSmallType(subject)
      const split = await partitionObjects(subject, 'P258', { partitionCount: 8 })
      const walks = await readPartitions(subject, split, {
        clause: 'P254',
        pageSizes: [sizesOf('2.0').maximum],
      })
      const { records } = joined(walks, split)
      const largest = Math.max(...walks.map((walk) => walk.records.length))
      // Lots may make a partition twice as large as the mean; beyond three times, a reader does the work of three.
      demand(largest <= (3 * records.length) / walks.length, {
        clause: 'P258',
        expected: `${walks.length} partitions of similar size, about ${Math.round(records.length / walks.length)} objects each`,
        found: `a partition of ${largest} of the ${records.length} objects`,
        exchange: split.exchange,
      })
      const estimates = split.data.flatMap(({ estimatedObjectCount }) => estimatedObjectCount ?? [])
      if (estimates.length === 0) return
      const sum = estimates.reduce((total, estimate) => total + estimate, 0)
      demand(sum >= records.length / 2 && sum <= records.length * 2, {
        clause: 'P258',
        expected: `estimates whose sum is about ${records.length}`,
        found: String(sum),
        exchange: split.exchange,
      })
    },
  },
]

function demandVersion(split: PartitionedState, version: unknown): void {
  demand(split.version === version, {
    clause: 'P253',
    expected: `version ${shown(version)}, that of the state to split`,
    found: split.version,
    exchange: split.exchange,
  })
}

async function demandWhole(
  subject: Subject,
  ask: PartitionsAsk & { readonly partitionCount: number },
  pageSizes: readonly number[],
): Promise<void> {
  const split = await partitionObjects(subject, 'P255', ask)
  const { filter, select } = ask
  const keyOrder: readonly OrderKey[] = [{ property: subject.type.key.name, direction: 'asc' }]
  const as = await readWalk(subject, {
    clause: 'P240',
    ask: { filter, select, snapshotToken: split.snapshotToken, orderBy: keyOrder },
    pageSizes: [sizesOf('2.0').maximum],
  })
  const walk = joined(await readPartitions(subject, split, { clause: 'P254', pageSizes }), split)
  const expected = `in ${split.data.length} partitions the ${as.records.length} objects of a walk in this state, each once`
  demandSameData(subject, { clause: 'P255', walk, as, expected })
}

function demandNoTotals(walks: readonly Pick<Walk, 'pages' | 'last'>[]): void {
  const wrong = walks.find(({ pages }) => pages.some((page) => 'totalCount' in page || 'checksum' in page))
  demand(wrong === undefined, {
    clause: 'P257',
    expected: 'neither totalCount nor checksum on the pages of a partition',
    exchange: wrong?.last,
  })
}

/** Demands that the answer has the total and the checksum that a walk of its state has, and that no page of a partition has them. */
export async function demandTotals(subject: Subject, split: PartitionedState): Promise<void> {
  demandNoTotals(await readPartitions(subject, split, { clause: 'P254', pageSizes: [7] }))
  const { pages } = await readWalk(subject, { clause: 'P240', ask: { snapshotToken: split.snapshotToken } })
  const last = pages.at(-1)
  const { totalCount, checksum, exchange } = split
  demand(totalCount === last?.totalCount && checksum === last?.['checksum'], {
    clause: 'P257',
    expected: `totalCount ${shown(last?.totalCount)} and checksum ${shown(last?.['checksum'])}, those of a walk in this state`,
    found: `${shown(totalCount)} and ${shown(checksum)}`,
    exchange,
  })
}
