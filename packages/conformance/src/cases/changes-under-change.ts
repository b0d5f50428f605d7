// Differences between states that the kit knows, because it has written them: applied to the earlier one, they make the later.
import type { Case } from './case.ts'
import { whileWriting } from './concurrent-writes.ts'
import { demandRefusal } from './refusal.ts'
import { numbers } from './walks-under-change.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { changesRequest } from '../subject/page-request.ts'
import {
  applied,
  copyOf,
  demandCopy,
  latestState,
  readChanges,
  readChangesPage,
  requireChanges,
} from '../subject/read-changes.ts'
import { readPage } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'

const count = 12

/** Several commits: objects that are put, changed, changed back, deleted, deleted and put again, and put and deleted again. */
async function write(own: OwnObjects, mark: number): Promise<void> {
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers(0, 4).map((i) => (mark + i * 3) % count)
  await own.set(
    new Map([
      [first, undefined],
      [second, mark],
      [third, mark],
      [count + mark, mark],
    ]),
  )
  await own.set(
    new Map([
      [second, undefined],
      [third, 1],
      [fourth, mark],
      [count + mark, undefined],
    ]),
  )
  await own.set(
    new Map([
      [second, mark + 1],
      [2 * count + mark, mark],
    ]),
  )
}

const presentIn = (subject: Subject, own: OwnObjects) => copyOf(subject, own.present())

/** Creates the objects, and returns the state and a copy of it. */
export const startOf = async (subject: Subject, own: OwnObjects, clause: string) => {
  await own.setTo(numbers(0, count), 1)
  return { since: await latestState(subject, clause), copy: presentIn(subject, own) }
}

export const changesUnderChange: readonly Case[] = [
  {
    clause: 'P270',
    title: 'changes lead from state to state, whatever is written while their pages are read',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        let { since, copy } = await startOf(subject, own, 'P270')
        for (const [round, pageSize] of [2, 1, 3, 100].entries()) {
          await write(own, 2 + round * 10)
          // What the first page sees, since the kit alone writes.
          const later = presentIn(subject, own)
          const difference = await readChanges(subject, {
            clause: 'P270',
            ask: { since, pageSize },
            betweenPages: (pages) => write(own, 2 + round * 10 + Math.min(pages, 4)),
          })
          copy = applied(copy, difference.changes)
          demandCopy('P270', copy, later, difference.last)
          since = difference.snapshotToken
        }
        const { changes, last } = await readChanges(subject, { clause: 'P270', ask: { since } })
        demandCopy('P271', applied(copy, changes), presentIn(subject, own), last)
      }),
  },
  {
    clause: 'P270',
    title: 'nothing is lost from one difference to the next, while several write at once',
    revision: '2.0',
    writes: true,
    run: async (subject) => {
      await requireChanges(subject)
      let since = ''
      let copy = copyOf(subject, [])
      const follow = async () => {
        const difference = await readChanges(subject, { clause: 'P270', ask: { since, pageSize: 4 } })
        copy = applied(copy, difference.changes)
        since = difference.snapshotToken
        return difference.last
      }
      await withOwnObjects(subject, async (own) => {
        ;({ since, copy } = await startOf(subject, own, 'P270'))
        // No two write to the same object, so the last state does not depend on their order.
        const writers = numbers(0, 3).map((writer) => async (mark: number) => {
          const each = numbers(writer, count, 3)
          await own.setTo(each.slice(mark % each.length).slice(0, 2), mark)
        })
        await whileWriting(writers, async () => {
          for (let round = 0; round < 30; round += 1) await follow()
        })
        const last = await follow()
        demandCopy('P270', copy, presentIn(subject, own), last)
      })
    },
  },
  {
    clause: 'P271',
    title: 'only the last page has a snapshot token, and it names the state of toVersion',
    revision: '2.0',
    writes: true,
    run: async (subject) => {
      await requireChanges(subject)
      await withOwnObjects(subject, async (own) => {
        const { since } = await startOf(subject, own, 'P271')
        await own.setTo(numbers(0, count), 2)
        const { pages, snapshotToken, toVersion, last } = await readChanges(subject, {
          clause: 'P271',
          ask: { since, pageSize: 5 },
          betweenPages: (read) => own.setTo([read], 3),
        })
        demand(pages.length >= 3, {
          clause: 'P271',
          expected: `at least 3 pages, since ${count} objects have changed and a page has at most 5`,
          found: `${pages.length}`,
          exchange: last,
        })
        const { page, exchange } = await readPage(subject, 'P271', { snapshotToken, pageSize: 1 })
        demand(page['version'] === toVersion, {
          clause: 'P271',
          expected: `with the snapshotToken of the last page the version ${shown(toVersion)}`,
          found: shown(page['version']),
          exchange,
        })
      })
    },
  },
  {
    clause: 'P278',
    title: 'the same request gives the same changes, whatever was written meanwhile',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const { since } = await startOf(subject, own, 'P278')
        await write(own, 3)
        await own.setTo(numbers(0, count), 7)
        let { page } = await readChangesPage(subject, 'P278', { since, pageSize: 3 })
        while (page.nextPageToken !== undefined) {
          const { nextPageToken: pageToken } = page
          const ask = { since, pageSize: 3, pageToken }
          const first = await readChangesPage(subject, 'P278', ask)
          await write(own, 4)
          const again = await readChangesPage(subject, 'P278', ask)
          demand(JSON.stringify(again.page.data) === JSON.stringify(first.page.data), {
            clause: 'P278',
            expected: 'the changes that the same request gave before',
            exchange: again.exchange,
          })
          ;({ page } = first)
        }
      }),
  },
  {
    clause: 'P279',
    title: 'with `to`, changes lead to the state that it names',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const { since, copy } = await startOf(subject, own, 'P279')
        await write(own, 3)
        const to = await latestState(subject, 'P279')
        const later = presentIn(subject, own)
        await write(own, 5)
        const { changes, last } = await readChanges(subject, {
          clause: 'P279',
          ask: { since, to, pageSize: 2 },
        })
        demandCopy('P279', applied(copy, changes), later, last)
        const { collection, send } = subject
        demandRefusal(await send(changesRequest(collection, { since: to, to: since })), {
          clause: 'P279',
          name: 'Conjure:UnprocessableEntity',
          parameters: { path: '/toSnapshotToken' },
          because: 'its state is before that of fromSnapshotToken',
        })
      }),
  },
  {
    clause: 'P276',
    title: 'a request that waits is answered as soon as there is a change',
    revision: '2.0',
    writes: true,
    run: async (subject) => {
      await requireChanges(subject)
      await withOwnObjects(subject, async (own) => {
        const { since, copy } = await startOf(subject, own, 'P276')
        const waitSeconds = 10
        const began = performance.now()
        const waiting = readChanges(subject, { clause: 'P276', ask: { since, waitSeconds } })
        // The request is to be there before the change is.
        await new Promise((resolve) => setTimeout(resolve, 300))
        await own.setTo([1], 2)
        const { changes, last } = await waiting
        const seconds = (performance.now() - began) / 1_000
        demandCopy('P276', applied(copy, changes), presentIn(subject, own), last)
        demand(seconds < waitSeconds / 2, {
          clause: 'P276',
          expected: 'an answer when the change is there, long before the time is up',
          found: `one after ${seconds.toFixed(1)} s`,
          exchange: last,
        })
      })
    },
  },
]
