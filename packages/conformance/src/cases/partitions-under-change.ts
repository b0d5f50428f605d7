// Partitions while objects are written: together they stay the state that was split, wherever its partitions begin and end.
import type { Case } from './case.ts'
import { demandChanged } from './request-identity.ts'
import { demandSameData } from './same-data.ts'
import { isSmallType, requireSmallType } from './order-samples.ts'
import { demandTotals } from './partitions.ts'
import { numbers } from './walks-under-change.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import { joined, readPartitions, requirePartitions, partitionObjects } from '../subject/partition.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

const withPartitions = async (subject: Subject, work: (own: OwnObjects) => Promise<void>): Promise<void> => {
  await requirePartitions(subject)
  await requireSnapshotTokens(subject)
  await withOwnObjects(subject, work)
}

/** Every second number, so that objects can come between any two. */
const first = numbers(0, 24, 2)

/** Deletes some, the greatest among them, changes the others, and adds one after each that was there. */
const writeAfter = (own: OwnObjects, mark: number): Promise<void> =>
  own.set(
    new Map([
      ...first.map((number) => [number, number % 3 === 0 ? mark : undefined] as const),
      ...first.map((number) => [number + 1, mark] as const),
    ]),
  )

/** Leaves only the first few, so that most of the earlier state is after the greatest key. */
const writeFewer = (own: OwnObjects): Promise<void> => own.setTo(first.slice(3), undefined)

/** The objects of the case and, in a small type, all objects with them. */
const filtersFor = (subject: Subject, { filter }: OwnObjects) =>
  isSmallType(subject) ? [filter, undefined] : [filter]

export const partitionsUnderChange: readonly Case[] = [
  {
    clause: 'P255',
    title: 'whatever is written after a split, the partitions are exactly the state that was split',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withPartitions(subject, async (own) => {
        for (const filter of filtersFor(subject, own)) {
          for (const partitionCount of [1, 4]) {
            await own.set(
              new Map([...numbers(0, 30).map((number) => [number, undefined] as const), ...marked(1)]),
            )
            const before = await readWalk(subject, {
              clause: 'P35',
              ask: { filter, orderBy: own.keyOrder, snapshot: true },
            })
            const split = await partitionObjects(subject, 'P255', { partitionCount, filter })
            let mark = 1
            const walks = await readPartitions(subject, split, {
              clause: 'P254',
              pageSizes: [3],
              meanwhile: () => writeAfter(own, (mark += 1)),
            })
            const expected = 'in the partitions the data of a walk from before these writes, byte for byte'
            demandSameData(subject, { clause: 'P255', walk: joined(walks, split), as: before, expected })
          }
        }
      }),
  },
  {
    clause: 'P255',
    title:
      'the partitions of an earlier state have what was deleted since, also after the greatest key that is left',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withPartitions(subject, async (own) => {
        for (const filter of filtersFor(subject, own)) {
          await own.set(new Map(marked(1)))
          const { token: snapshotToken } = await takeSnapshot(subject, 'P241')
          const ask = { filter, snapshotToken }
          await writeFewer(own)
          const before = await readWalk(subject, { clause: 'P240', ask: { ...ask, orderBy: own.keyOrder } })
          for (const partitionCount of [1, 3]) {
            const split = await partitionObjects(subject, 'P255', { partitionCount, ...ask })
            const walks = await readPartitions(subject, split, { clause: 'P254', pageSizes: [3] })
            const expected = 'in the partitions the data of a walk with the same snapshot token'
            demandSameData(subject, { clause: 'P255', walk: joined(walks, split), as: before, expected })
          }
        }
      }),
  },
  {
    clause: 'P253',
    title: 'a split with a snapshot token is of the state that it names, and without one of the latest',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withPartitions(subject, async (own) => {
        await own.set(new Map(marked(1)))
        const named = await takeSnapshot(subject, 'P241')
        await writeFewer(own)
        const latest = await takeSnapshot(subject, 'P241')
        const { page } = await readPage(subject, 'P35', { pageSize: 1, snapshot: true })
        for (const { snapshotToken, version } of [
          { snapshotToken: named.token, version: named.version },
          { snapshotToken: undefined, version: page['version'] },
        ]) {
          const split = await partitionObjects(subject, 'P253', {
            partitionCount: 3,
            filter: own.filter,
            snapshotToken,
          })
          demand(split.version === version, {
            clause: 'P253',
            expected: `version ${shown(version)}`,
            found: split.version,
            exchange: split.exchange,
          })
          const other = snapshotToken === undefined ? named.token : latest.token
          const [partition] = split.data
          demandChanged(
            await askForPage(subject, {
              pageToken: partition?.pageToken,
              filter: own.filter,
              snapshotToken: other,
            }),
            'P254',
            'snapshot',
            'the snapshot token names another state',
          )
        }
      }),
  },
  {
    clause: 'P257',
    title: 'totalCount and checksum are those of the state that was split, whatever was written since',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withPartitions(subject, async (own) => {
        requireSmallType(subject)
        await own.set(new Map(marked(1)))
        const { token: snapshotToken } = await takeSnapshot(subject, 'P241')
        await writeFewer(own)
        await demandTotals(
          subject,
          await partitionObjects(subject, 'P257', { partitionCount: 3, snapshotToken }),
        )
      }),
  },
]

const marked = (mark: number): readonly (readonly [number, number])[] =>
  first.map((number) => [number, mark] as const)
