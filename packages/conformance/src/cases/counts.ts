// Counts of a collection that does not change.
import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import { madeUp } from './page-tokens.ts'
import { demandRefusal } from './refusal.ts'
import { countOf, demandCount, requireCount } from '../subject/count-of.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { countRequest } from '../subject/page-request.ts'
import { readPage, sizesOf } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

export const countCases: readonly Case[] = [
  {
    clause: 'P245',
    title: 'a count is the number of objects that match in the latest version',
    revision: '2.0',
    run: async (subject) => {
      const { sample, isWhole, type } = subject
      const all = await countOf(subject)
      const { page } = await readPage(subject, 'P35', { pageSize: 1, snapshot: true })
      const version = page['version']
      // In revision 2.0 the total is missing if the type has a policy (P150).
      if (isWhole) demandCount(all, sample.length, version)
      else if (page.totalCount !== undefined) demandCount(all, Number(page.totalCount), version)
      const some = spreadObjects(subject, 7)
      demandCount(await countOf(subject, { filter: filterFor(subject, some) }), some.length, version)
      const values = [await unusedKey(subject)]
      const none = { kind: 'anyOf', property: type.key.name, values } as const
      demandCount(await countOf(subject, { filter: none }), 0, version)
      const most = limits.walk.countedMatches
      if (all.total <= most) return
      const filter = { kind: 'isNull', property: type.key.name, value: false } as const
      const { total, isBound, exchange } = await countOf(subject, { filter })
      demand(total <= most && isBound, {
        clause: 'P69',
        expected: `totalCount "${most}" and totalCountIsLowerBound true`,
        found: `${total}`,
        exchange,
      })
    },
  },
  {
    clause: 'P245',
    title: 'a count with a snapshot token is the number of objects of a walk with it',
    revision: '2.0',
    run: async (subject) => {
      await requireCount(subject)
      await requireSnapshotTokens(subject)
      const { token: snapshotToken, version } = await takeSnapshot(subject, 'P245')
      const some = spreadObjects(subject, 9)
      for (const { filter, objects } of [
        { filter: filterFor(subject, some), objects: some.length },
        ...(subject.isWhole ? [{ filter: undefined, objects: subject.sample.length }] : []),
      ]) {
        const { records, last } = await readWalk(subject, {
          clause: 'P240',
          ask: { filter, snapshotToken },
          pageSizes: [sizesOf(subject.collection.revision).maximum],
        })
        demand(records.length === objects, {
          clause: 'P240',
          expected: `the ${objects} objects of the latest state`,
          found: `${records.length}`,
          exchange: last,
        })
        demandCount(await countOf(subject, { filter, snapshotToken }), objects, version)
      }
    },
  },
  {
    clause: 'P242',
    title: 'a count with a snapshot token that was made up is refused',
    revision: '2.0',
    run: async (subject) => {
      await requireCount(subject)
      await requireSnapshotTokens(subject)
      for (const snapshotToken of madeUp) {
        demandRefusal(await subject.send(countRequest(subject.collection, { snapshotToken })), {
          clause: 'P242',
          name: 'InvalidSnapshotToken',
          parameters: { reason: 'malformed' },
          because: 'the server did not make this token',
        })
      }
    },
  },
]
