// What has changed since a state of a collection that does not change: nothing, at once or after a while.
import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { changesRequest, type ChangesAsk } from '../subject/page-request.ts'
import { latestState, readChanges, requireChanges } from '../subject/read-changes.ts'
import type { Subject } from '../subject/subject.ts'

const ask = ({ collection, send }: Subject, asked: ChangesAsk) => send(changesRequest(collection, asked))

/** Clocks and timers may differ by this much. */
const toleranceMilliseconds = 250

export const changesCases: readonly Case[] = [
  {
    clause: 'P271',
    title: 'since the latest state nothing has changed, and the token is one of the same state',
    revision: '2.0',
    run: async (subject) => {
      const since = await latestState(subject, 'P271')
      const { changes, fromVersion, toVersion, last } = await readChanges(subject, {
        clause: 'P271',
        ask: { since },
      })
      demand(changes.length === 0 && fromVersion === toVersion, {
        clause: 'P271',
        expected: 'no changes, and toVersion as fromVersion, since the token is that of the latest state',
        found: `${changes.length} changes from ${fromVersion} to ${toVersion}`,
        exchange: last,
      })
    },
  },
  {
    clause: 'P270',
    title: 'a request without a state, or with something else instead, is refused',
    revision: '2.0',
    run: async (subject) => {
      await requireChanges(subject)
      demandRefusal(await ask(subject, {}), {
        clause: 'P270',
        name: 'Conjure:UnprocessableEntity',
        because: 'there is no since',
      })
      demandRefusal(await ask(subject, { since: 'none' }), {
        clause: 'P242',
        name: 'InvalidSnapshotToken',
        parameters: { reason: 'malformed' },
        because: 'the server did not make this token',
      })
    },
  },
  {
    clause: 'P275',
    title: 'a state whose changes are no longer known is refused with the reason',
    revision: '2.0',
    run: async (subject) => {
      const { expiredSnapshotToken: since } = subject
      if (since === undefined) {
        skip('needs --expired-snapshot-token, of a state whose changes the server no longer knows')
      }
      // With a query the earlier state itself has to be known, too.
      const filter = filterFor(subject, spreadObjects(subject, 3))
      demandRefusal(await ask(subject, { since, filter }), {
        clause: 'P275',
        name: 'ChangesExpired',
        parameters: { reason: 'tooOld' },
        because: 'the changes since this state are no longer known',
      })
    },
  },
  {
    clause: 'P276',
    title: 'a request that waits in vain is answered when its time is up, as if it had not waited',
    revision: '2.0',
    run: async (subject) => {
      const since = await latestState(subject, 'P276')
      const began = performance.now()
      const { changes, fromVersion, toVersion, last } = await readChanges(subject, {
        clause: 'P276',
        ask: { since, waitSeconds: 1 },
      })
      const milliseconds = Math.round(performance.now() - began)
      demand(changes.length === 0 && fromVersion === toVersion, {
        clause: 'P276',
        expected: 'no changes, and toVersion as fromVersion, since nothing was written',
        exchange: last,
      })
      demand(milliseconds >= 1_000 - toleranceMilliseconds, {
        clause: 'P276',
        expected: 'an answer after a second, since nothing changes',
        found: `one after ${milliseconds} ms`,
        exchange: last,
      })
    },
  },
  {
    clause: 'P276',
    title: 'waitSeconds is a whole number up to 30',
    revision: '2.0',
    run: async (subject) => {
      await requireChanges(subject)
      const since = await latestState(subject, 'P276')
      for (const waitSeconds of [limits.changes.waitSeconds + 1, -1, 0.5, '1']) {
        demandRefusal(await ask(subject, { since, waitSeconds }), {
          clause: 'P276',
          name: 'Conjure:UnprocessableEntity',
          because: `waitSeconds is ${JSON.stringify(waitSeconds)}`,
        })
      }
    },
  },
]
