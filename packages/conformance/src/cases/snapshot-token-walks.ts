// Snapshot tokens in the course of a walk: which pages carry one, and which requests continue it.
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import { tokenOf } from './page-tokens.ts'
import { demandChanged } from './request-identity.ts'
import { demandSameData } from './same-data.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk, type Walk } from '../subject/read-walk.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { demandTokenText, requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

/** The snapshot token of the last page; no other page may have one (P243). */
export function shownToken({ pages, last }: Walk): string {
  const early = pages.findIndex((page, i) => i < pages.length - 1 && 'snapshotToken' in page)
  demand(early === -1, {
    clause: 'P243',
    expected: 'no snapshotToken before the last page',
    found: `one on page ${early + 1} of ${pages.length}`,
    exchange: last,
  })
  const token = pages.at(-1)?.['snapshotToken']
  demand(token !== undefined, {
    clause: 'P243',
    expected: 'snapshotToken on the last page of a snapshot walk',
    exchange: last,
  })
  demandTokenText(token, last)
  return token
}

export const snapshotTokenWalkCases: readonly Case[] = [
  {
    clause: 'P243',
    title: 'the last page of a snapshot walk has a snapshot token, and no other page has one',
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 8))
      for (const pageSizes of [[3], [4], [20]]) {
        const walk = await readWalk(subject, { clause: 'P243', ask: { filter, snapshot: true }, pageSizes })
        shownToken(walk)
      }
      const { key } = subject.type
      const none = { kind: 'anyOf', property: key.name, values: [await unusedKey(subject)] } as const
      shownToken(await readWalk(subject, { clause: 'P243', ask: { filter: none, snapshot: true } }))
      const { pages, last } = await readWalk(subject, { clause: 'P243', ask: { filter }, pageSizes: [3] })
      demand(!pages.some((page) => 'snapshotToken' in page), {
        clause: 'P243',
        expected: 'no snapshotToken in default mode',
        exchange: last,
      })
    },
  },
  {
    clause: 'P243',
    title: 'a walk that is repeated with that token gives the same data, and names the state again',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const filter = filterFor(subject, spreadObjects(subject, 8))
      const walk = (ask: PageAsk) =>
        readWalk(subject, { clause: 'P243', ask: { filter, ...ask }, pageSizes: [3] })
      const first = await walk({ snapshot: true })
      const again = await walk({ snapshotToken: shownToken(first) })
      const expected = 'the data of the walk whose last page had this token'
      demandSameData(subject, { clause: 'P243', walk: again, as: first, expected })
      const third = await walk({ snapshotToken: shownToken(again) })
      demandSameData(subject, { clause: 'P243', walk: third, as: first, expected })
    },
  },
  {
    clause: 'P244',
    title: 'tokens of one state are the same request, and a walk continues with any of them',
    revision: '2.0',
    run: async (subject) => {
      const { objectType } = subject.collection
      const one = await takeSnapshot(subject, 'P244')
      const two = await takeSnapshot(subject, 'P244', [
        objectType,
        ...(subject.otherType === undefined ? [] : [subject.otherType]),
      ])
      const ask = askOf(subject)
      const pageToken = await tokenOf(subject, { ...ask, snapshotToken: one.token }, 'P240')
      const next = { ...ask, pageToken }
      const expected = await readPage(subject, 'P240', { ...next, snapshotToken: one.token })
      const { page, exchange } = await readPage(subject, 'P244', { ...next, snapshotToken: two.token })
      demand(JSON.stringify(page.data) === JSON.stringify(expected.page.data), {
        clause: 'P244',
        expected: 'the page that comes with the other token of this state',
        exchange,
      })
    },
  },
  {
    clause: 'P244',
    title: 'a walk with a snapshot token does not continue without it, nor another walk with it',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { token: snapshotToken } = await takeSnapshot(subject, 'P244')
      const ask = askOf(subject)
      const modes: readonly PageAsk[] = [{ snapshotToken }, { snapshot: true }, {}]
      for (const begun of modes) {
        const pageToken = await tokenOf(subject, { ...ask, ...begun }, 'P240')
        for (const other of modes.filter((mode) => mode !== begun)) {
          demandChanged(
            await askForPage(subject, { ...ask, pageToken, ...other }),
            'snapshotToken' in begun || 'snapshotToken' in other ? 'P244' : 'P24',
            'snapshot',
            'the snapshot token or the mode is another',
          )
        }
      }
    },
  },
]

const askOf = (subject: Subject): PageAsk => ({
  pageSize: 2,
  filter: filterFor(subject, spreadObjects(subject, 6)),
})
