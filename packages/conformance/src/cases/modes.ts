import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { getRequest, objectTypesPath } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { askForPage } from '../subject/subject.ts'

export const modeCases: readonly Case[] = [
  {
    clause: 'P30',
    title: 'snapshot is true or false; no parameter is false, and anything else is refused',
    run: async (subject) => {
      for (const snapshot of [true, false]) await readPage(subject, 'P30', { pageSize: 2, snapshot })
      const token = (await readPage(subject, 'P30', { pageSize: 2 })).page.nextPageToken
      await readPage(subject, 'P30', { pageSize: 2, snapshot: false, pageToken: token })
      for (const snapshot of ['yes', 'TRUE', '1']) {
        demandRefusal(await askForPage(subject, { pageSize: 2, snapshot }), {
          // P107 defines the error for a malformed body.
          clause: 'P30',
          name:
            subject.collection.revision === '1.0' ? 'InvalidParameterValue' : 'Conjure:UnprocessableEntity',
          because: `${snapshot} is neither true nor false`,
        })
      }
    },
  },
  {
    clause: 'P31',
    title: 'a list of anything but objects takes snapshot=false and refuses snapshot=true',
    run: async ({ collection, send }) => {
      const lists = [
        objectTypesPath(collection),
        ...(collection.revision === '1.0' ? ['/api/v1/ontologies'] : []),
      ]
      for (const path of lists) {
        const exchange = await send(getRequest(`${path}?snapshot=false`))
        demand(exchange.status === 200, { clause: 'P31', expected: 'the list', exchange })
        demandRefusal(await send(getRequest(`${path}?snapshot=true`)), {
          clause: 'P31',
          name: 'InvalidParameterValue',
          because: 'this list has no snapshots',
        })
      }
    },
  },
  {
    clause: 'P35',
    title: 'a snapshot walk returns each object once and in order, whatever its page sizes',
    run: async (subject) => {
      const most = Math.min(subject.sample.length, 60)
      const { records, last } = await readWalk(subject, {
        clause: 'P35',
        ask: { snapshot: true },
        pageSizes: [1, 3, 2, 7],
        untilObjects: most,
      })
      const found = difference(
        keysOf(subject, records.slice(0, most)),
        keysOf(subject, subject.sample.slice(0, most)),
      )
      demand(found === undefined, {
        clause: 'P35',
        expected: `the first ${most} objects in the order of the primary key`,
        found,
        exchange: last,
      })
    },
  },
  {
    clause: 'P36',
    title: 'a walk whose snapshot is no longer kept is refused',
    run: async (subject) => {
      const { goneSnapshotToken: pageToken } = subject
      if (pageToken === undefined) {
        skip('needs --gone-snapshot-token, of a snapshot walk that the server no longer keeps')
      }
      demandRefusal(await askForPage(subject, { pageSize: 2, snapshot: true, pageToken }), {
        clause: 'P36',
        name: 'ConsistentSnapshotError',
        because: 'the snapshot is no longer kept',
      })
    },
  },
]
