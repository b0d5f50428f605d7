// Snapshot tokens while objects are written: what they name stays as it was. Two commits come before each token, so that the state
// that it names differs from the one before it as well as from those after it.
import type { Case } from './case.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { tokenOf } from './page-tokens.ts'
import { demandChanged } from './request-identity.ts'
import { demandSameData } from './same-data.ts'
import { shownToken } from './snapshot-token-walks.ts'
import { demandState, numbers } from './walks-under-change.ts'
import { countOf, demandCount, requireCount } from '../subject/count-of.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { getRequest, objectPath } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk, type WalkOptions } from '../subject/read-walk.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

const objects = 12

async function writeBefore(own: OwnObjects): Promise<void> {
  await own.setTo(numbers(0, objects + 1), 1)
  await own.set(new Map([...numbers(0, objects).map((number) => [number, 2] as const), [objects, undefined]]))
}

/** Deletes the first objects, changes the others and adds as many as the mark says. */
const writeAfter = (own: OwnObjects, mark: number): Promise<void> =>
  own.set(
    new Map([
      ...numbers(0, 3).map((number) => [number, undefined] as const),
      ...numbers(3, objects).map((number) => [number, mark] as const),
      ...numbers(objects, objects + mark).map((number) => [number, mark] as const),
    ]),
  )

const walkOf = (subject: Subject, own: OwnObjects, options: WalkOptions) =>
  readWalk(subject, {
    pageSizes: [3],
    ...options,
    ask: { filter: own.filter, orderBy: own.keyOrder, ...options.ask },
  })

const withTokens = async (subject: Subject, work: (own: OwnObjects) => Promise<void>): Promise<void> => {
  await requireSnapshotTokens(subject)
  await withOwnObjects(subject, work)
}

export const snapshotTokensUnderChange: readonly Case[] = [
  {
    clause: 'P240',
    title: 'a commit after a snapshot token was taken is visible on no page with it',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        await writeBefore(own)
        const before = await walkOf(subject, own, { clause: 'P35', ask: { snapshot: true } })
        const { token: snapshotToken } = await takeSnapshot(subject, 'P240')
        await writeAfter(own, 3)
        const walk = await walkOf(subject, own, {
          clause: 'P240',
          ask: { snapshotToken },
          betweenPages: (pages) => writeAfter(own, 3 + pages),
        })
        const expected = 'the data of a walk from before these writes, byte for byte'
        demandSameData(subject, { clause: 'P240', walk, as: before, expected })
      }),
  },
  {
    clause: 'P240',
    title: 'one object is read as it was when the snapshot token was taken',
    revision: '1.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const { collection, send } = subject
        await writeBefore(own)
        const { records } = await walkOf(subject, own, { clause: 'P35', ask: { snapshot: true } })
        const { token } = await takeSnapshot(subject, 'P240')
        await writeAfter(own, 3)
        const read = (number: number) =>
          send(getRequest(`${objectPath(collection, own.keyAt(number))}?snapshotToken=${token}`))
        // The first was deleted since, the second was changed, and the third did not exist yet.
        for (const number of [0, 5]) {
          const exchange = await read(number)
          demand(JSON.stringify(exchange.body) === JSON.stringify(records[number]), {
            clause: 'P240',
            expected: `the record as it was: ${shown(records[number])}`,
            exchange,
          })
        }
        demandRefusal(await read(objects), {
          clause: 'P240',
          name: 'ObjectNotFound',
          because: 'the object did not exist yet',
        })
      }),
  },
  {
    clause: 'P241',
    title: 'a new snapshot token names a state that has every acknowledged commit',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const versions = new Set<string>()
        for (const mark of numbers(1, 7)) {
          await own.setTo([mark % 3], mark % 4 === 0 ? undefined : mark)
          const { token: snapshotToken, version, exchange } = await takeSnapshot(subject, 'P241')
          demand(!versions.has(version), {
            clause: 'P241',
            expected: 'another version after every commit',
            found: version,
            exchange,
          })
          versions.add(version)
          const read = await readPage(subject, 'P240', {
            filter: own.filter,
            orderBy: own.keyOrder,
            snapshotToken,
          })
          demandState(subject, 'P241', read.page.data, own.present(), read.exchange)
        }
      }),
  },
  {
    clause: 'P243',
    title: 'the token of a last page names the state of its walk, whatever was written meanwhile',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        await writeBefore(own)
        const walk = await walkOf(subject, own, {
          clause: 'P35',
          ask: { snapshot: true },
          betweenPages: (pages) => writeAfter(own, 3 + pages),
        })
        const again = await walkOf(subject, own, {
          clause: 'P243',
          ask: { snapshotToken: shownToken(walk) },
        })
        const expected = 'the data of the walk whose last page had this token'
        demandSameData(subject, { clause: 'P243', walk: again, as: walk, expected })
      }),
  },
  {
    clause: 'P244',
    title: 'a token of another state makes the request another one',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        await writeBefore(own)
        const before = await takeSnapshot(subject, 'P244')
        await writeAfter(own, 3)
        const after = await takeSnapshot(subject, 'P244')
        const ask = { filter: own.filter, orderBy: own.keyOrder, pageSize: 2 }
        for (const [one, other] of [
          [before, after],
          [after, before],
        ] as const) {
          const pageToken = await tokenOf(subject, { ...ask, snapshotToken: one.token }, 'P240')
          demandChanged(
            await askForPage(subject, { ...ask, pageToken, snapshotToken: other.token }),
            'P244',
            'snapshot',
            'the snapshot token names another state',
          )
        }
      }),
  },
  {
    clause: 'P245',
    title: 'a count with a snapshot token is of the state that it names, and without one of the latest',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        await requireCount(subject)
        await writeBefore(own)
        const named = await takeSnapshot(subject, 'P245')
        await writeAfter(own, 5)
        const latest = await takeSnapshot(subject, 'P245')
        for (const { snapshotToken, version, own: number } of [
          { snapshotToken: named.token, version: named.version, own: objects },
          { snapshotToken: undefined, version: latest.version, own: own.present().length },
        ]) {
          const matches = await countOf(subject, { filter: own.filter, snapshotToken })
          demandCount(matches, number, version)
          // Without a filter a server may know the number without counting, so it is asked for as well.
          const all = await countOf(subject, { snapshotToken })
          if (subject.isWhole) demandCount(all, subject.sample.length + number, version)
        }
      }),
  },
]
