// The page tokens of partitions: which requests and which callers can use them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './case.ts'
import { demandUnauthorized, strangers } from './access.ts'
import { ClauseFailure, skip } from '../clauses/clause-failure.ts'
import { changed } from './page-tokens.ts'
import { demandRefusal } from './refusal.ts'
import { demandChanged } from './request-identity.ts'
import { demandSameData } from './same-data.ts'
import { shownToken } from './snapshot-token-walks.ts'
import type { SendOptions } from '../exchange/send.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { otherScalars } from '../subject/known-type.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import {
  joined,
  readPartitions,
  requirePartitions,
  partitionObjects,
  type PartitionedState,
} from '../subject/partition.ts'
import { askForPage, type Subject } from '../subject/subject.ts'

export const partitionTokenCases: readonly Case[] = [
  {
    clause: 'P254',
    title:
      'a partition is read like any other walk, with the snapshot token, the query and the select of the split',
    revision: '2.0',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 9))
      const [selected] = otherScalars(subject.type)
      for (const select of [undefined, selected && [selected.name]]) {
        const split = await partitionObjects(subject, 'P254', { partitionCount: 3, filter, select })
        for (const walk of await readPartitions(subject, split, { clause: 'P254', pageSizes: [2] }))
          shownToken(walk)
        const other = selected && select === undefined ? [selected.name] : undefined
        const [partition] = split.data
        const { snapshotToken } = split
        const ask = { pageToken: partition?.pageToken, pageSize: 2, snapshotToken, filter, select }
        const fewer = filterFor(subject, spreadObjects(subject, 8))
        const orderBy = [{ property: subject.type.key.name, direction: 'desc' }] as const
        const others: readonly (readonly [PageAsk, string, string])[] = [
          [{ ...ask, snapshotToken: undefined }, 'snapshot', 'the snapshot token is missing'],
          [{ ...ask, snapshotToken: undefined, snapshot: true }, 'snapshot', 'the snapshot token is missing'],
          [{ ...ask, filter: undefined }, 'query', 'the query is missing'],
          [{ ...ask, filter: fewer }, 'query', 'the query is another'],
          [{ ...ask, orderBy }, 'orderBy', 'the order is another'],
          ...(selected ? [[{ ...ask, select: other }, 'select', 'the selection is another'] as const] : []),
        ]
        for (const [changedAsk, name, because] of others) {
          demandChanged(await askForPage(subject, changedAsk), 'P254', name, because)
        }
      }
    },
  },
  {
    clause: 'P11',
    title: 'the token of a partition that was changed is refused as malformed',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      const { data, snapshotToken } = await partitionObjects(subject, 'P253', { partitionCount: 2 })
      for (const pageToken of changed(data[0]?.pageToken ?? '')) {
        demandRefusal(await askForPage(subject, { pageSize: 2, pageToken, snapshotToken }), {
          clause: 'P11',
          name: 'InvalidPageToken',
          parameters: { reason: 'malformed' },
          because: 'the server did not make this token',
        })
      }
    },
  },
  {
    clause: 'P115',
    title: 'the token of a partition does not stand in for a bearer token',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      const { data, snapshotToken } = await partitionObjects(subject, 'P253', { partitionCount: 2 })
      const ask = { pageSize: 2, pageToken: data[0]?.pageToken, snapshotToken }
      for (const stranger of strangers) {
        demandUnauthorized('P115', await askForPage(subject, ask, stranger))
      }
    },
  },
  {
    clause: 'P256',
    title:
      'another caller can read the partitions, and the tokens of the pages that follow belong to that caller',
    revision: '2.0',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 8))
      const split = await partitionObjects(subject, 'P256', { partitionCount: 2, filter })
      const { otherToken } = subject
      if (otherToken === undefined) skip('needs --other-token, of a second caller who may read the type')
      await demandReadable(subject, split, { token: otherToken })
      const { pageToken, ask } = await secondPage(subject, split, { token: otherToken })
      await readPage(subject, 'P256', { ...ask, pageToken }, { token: otherToken })
      demandRefusal(await askForPage(subject, { ...ask, pageToken }), {
        clause: 'P256',
        name: 'InvalidPageToken',
        parameters: { reason: 'otherCaller' },
        because: 'the page before was served to another caller',
      })
    },
  },
  {
    clause: 'P256',
    title: 'the partitions can be read on another instance of the deployment',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      const { otherUrl } = subject
      if (otherUrl === undefined) skip('needs --other-url, a second instance')
      const filter = filterFor(subject, spreadObjects(subject, 8))
      const split = await partitionObjects(subject, 'P256', { partitionCount: 2, filter })
      await demandReadable(subject, split, { url: otherUrl })
    },
  },
  {
    clause: 'P256',
    title: 'the tokens of a partition and of the pages that follow are good when page tokens have expired',
    revision: '2.0',
    run: async (subject) => {
      await requirePartitions(subject)
      const { tokenLifeSeconds } = subject
      if (tokenLifeSeconds === undefined) {
        skip('needs --token-life-seconds, on a server whose page tokens live shortly')
      }
      const filter = filterFor(subject, spreadObjects(subject, 8))
      const split = await partitionObjects(subject, 'P256', { partitionCount: 2, filter })
      const { pageToken, ask } = await secondPage(subject, split, {})
      await sleep((tokenLifeSeconds + 1.5) * 1_000)
      await readPage(subject, 'P256', { ...ask, pageToken })
      await demandReadable(subject, split, {})
    },
  },
]

/** Demands that a reader gets in the partitions what the same reader gets in a walk of their state. */
async function demandReadable(subject: Subject, split: PartitionedState, as: SendOptions): Promise<void> {
  const { snapshotToken, ask } = split
  const orderBy = [{ property: subject.type.key.name, direction: 'asc' }] as const
  const alone = await readWalk(subject, {
    clause: 'P242',
    ask: { filter: ask.filter, orderBy, snapshotToken },
    as,
  })
  const walk = joined(await readPartitions(subject, split, { clause: 'P256', pageSizes: [2], as }), split)
  const expected = 'in the partitions what this reader gets in a walk of their state'
  demandSameData(subject, { clause: 'P256', walk, as: alone, expected })
}

/** The token of the second page of a partition, and the request in which it can be used. */
async function secondPage(
  subject: Subject,
  { data, snapshotToken, ask, exchange }: PartitionedState,
  as: SendOptions,
) {
  const wanted = { filter: ask.filter, snapshotToken, pageSize: 1 }
  for (const { pageToken } of data) {
    const { page } = await readPage(subject, 'P256', { ...wanted, pageToken }, as)
    if (page.nextPageToken !== undefined) return { pageToken: page.nextPageToken, ask: wanted }
  }
  throw new ClauseFailure({ clause: 'P255', expected: 'a partition with more than one object', exchange })
}
