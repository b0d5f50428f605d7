// Snapshot tokens of a collection that does not change. The first case of each clause fails on a server without snapshot tokens,
// and the others are then skipped, so that each clause is reported once.
import { limits, type Snapshot } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { demandRefusal, type ExpectedRefusal } from './refusal.ts'
import { demandSameData } from './same-data.ts'
import { changed, madeUp, tokenOf } from './page-tokens.ts'
import { spreadObjects } from '../subject/chosen-objects.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { getRequest, objectPath, postRequest, snapshotsPath, type PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { SendOptions } from '../exchange/send.ts'
import { readWalk } from '../subject/read-walk.ts'
import { askForPage, keyOf, type Subject } from '../subject/subject.ts'
import { demandTypes, requireSnapshotTokens, snapshotIn, takeSnapshot } from '../subject/take-snapshot.ts'
import { typeNames } from '../subject/type-names.ts'

export const snapshotTokenCases: readonly Case[] = [
  {
    clause: 'P240',
    title: 'a walk with a snapshot token reads the version that it names, in snapshot mode',
    run: async (subject) => {
      const { token, version } = await takeSnapshot(subject, 'P240')
      const walk = (ask: PageAsk) =>
        readWalk(subject, {
          clause: 'P240',
          ask,
          pageSizes: [7],
          untilObjects: Math.min(subject.sample.length, 60),
        })
      const plain = await walk({ snapshot: true })
      for (const ask of [{ snapshotToken: token }, { snapshotToken: token, snapshot: true }]) {
        const named = await walk(ask)
        const expected = 'the data of a snapshot walk of this version'
        demandSameData(subject, { clause: 'P240', walk: named, as: plain, expected })
        const wrong = named.pages.find((page) => page['version'] !== version)
        demand(wrong === undefined, {
          clause: 'P240',
          expected: `version "${version}" on every page`,
          found: shown(wrong?.['version']),
          exchange: named.last,
        })
      }
    },
  },
  {
    clause: 'P240',
    title: 'snapshot=false beside a snapshot token is refused',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { token: snapshotToken } = await takeSnapshot(subject, 'P240')
      demandRefusal(await askForPage(subject, { pageSize: 2, snapshot: false, snapshotToken }), {
        clause: 'P240',
        ...(subject.collection.revision === '1.0'
          ? { name: 'InvalidParameterValue', parameters: { parameterId: 'snapshot' } }
          : { name: 'Conjure:UnprocessableEntity', parameters: { path: '/snapshot' } }),
        because: 'a snapshot token cannot be read in default mode',
      })
    },
  },
  {
    clause: 'P240',
    title: 'one object is read with a snapshot token',
    revision: '1.0',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { collection, send } = subject
      const { token } = await takeSnapshot(subject, 'P240')
      for (const record of spreadObjects(subject, 2)) {
        const path = objectPath(collection, keyOf(subject, record))
        const exchange = await send(getRequest(`${path}?snapshotToken=${token}`))
        demand(JSON.stringify(exchange.body) === JSON.stringify(record), {
          clause: 'P240',
          expected: 'the record as it is in the list',
          exchange,
        })
      }
      const none = objectPath(collection, await unusedKey(subject))
      demandRefusal(await send(getRequest(`${none}?snapshotToken=${token}`)), {
        clause: 'P240',
        name: 'ObjectNotFound',
        because: 'no object has this primary key',
      })
    },
  },
  {
    clause: 'P241',
    title: 'a snapshot names the latest version of the types that are asked for, or of all',
    revision: '2.0',
    run: async (subject) => {
      const { collection, send } = subject
      const one = await takeSnapshot(subject, 'P241')
      const latest = await readPage(subject, 'P35', { pageSize: 1, snapshot: true })
      demand(latest.page['version'] === one.version, {
        clause: 'P241',
        expected: `the version that a new snapshot walk reads, ${shown(latest.page['version'])}`,
        found: one.version,
        exchange: one.exchange,
      })
      if (subject.otherType !== undefined) {
        await takeSnapshot(subject, 'P241', [collection.objectType, subject.otherType])
      }
      const names = await typeNames(subject)
      // More types than a token can name: then it must be said which ones.
      if (names.length > limits.snapshotToken.objectTypes) return
      const path = snapshotsPath(collection)
      for (const request of [postRequest(path, {}), { method: 'POST', path, headers: {} } as const]) {
        demandTypes(snapshotIn(subject, 'P241', await send(request)), names)
      }
    },
  },
  {
    clause: 'P241',
    title: 'readableUntil is a time that has not yet come',
    revision: '2.0',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { exchange } = await takeSnapshot(subject, 'P241')
      const { readableUntil } = exchange.body as Snapshot
      const now = Date.parse(exchange.headers.get('date') ?? new Date().toISOString())
      demand(Date.parse(readableUntil) > now, {
        clause: 'P241',
        expected: 'a readableUntil in the future, since the latest state is kept',
        found: readableUntil,
        exchange,
      })
    },
  },
  {
    clause: 'P241',
    title: 'more than 100 types, unknown types and unknown fields are refused',
    revision: '2.0',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { collection, send } = subject
      const ask = (body: unknown) => send(postRequest(snapshotsPath(collection), body))
      const many = Array.from({ length: limits.snapshotToken.objectTypes + 1 }, () => collection.objectType)
      demandRefusal(await ask({ objectTypes: many }), {
        clause: 'P241',
        name: 'Conjure:UnprocessableEntity',
        because: `objectTypes has ${many.length} items`,
      })
      demandRefusal(await ask({ objectTypes: [collection.objectType, 'octavoConformanceNone'] }), {
        clause: 'P109',
        name: 'ObjectTypeNotFound',
        because: 'no object type has this name',
      })
      demandRefusal(await ask({ colour: 'red' }), {
        clause: 'P27',
        name: 'UnknownParameter',
        because: 'the endpoint does not define colour',
      })
    },
  },
  {
    clause: 'P242',
    title: 'a snapshot token that was changed or made up, or is something else, is refused with the reason',
    run: async (subject) => {
      const { token } = await takeSnapshot(subject, 'P242')
      const demandReason = async (
        snapshotToken: string,
        parameters: ExpectedRefusal['parameters'] & object,
        because: string,
      ) => {
        for (const exchange of await readsAt(subject, snapshotToken)) {
          demandRefusal(exchange, {
            clause: 'P242',
            name: 'InvalidSnapshotToken',
            parameters,
            because,
          })
        }
      }
      for (const text of [...changed(token), ...madeUp]) {
        await demandReason(text, { reason: 'malformed' }, 'the server did not make this token')
      }
      const pageToken = await tokenOf(subject, { pageSize: 2, snapshot: true })
      await demandReason(pageToken, { reason: 'pageToken' }, 'this is a page token')
      demandRefusal(await askForPage(subject, { pageSize: 2, pageToken: token }), {
        clause: 'P11',
        name: 'InvalidPageToken',
        parameters: { reason: 'malformed' },
        because: 'this is a snapshot token',
      })
      if (subject.otherType === undefined || subject.collection.revision === '1.0') return
      const other = await takeSnapshot(subject, 'P242', [subject.otherType])
      const { objectType } = subject.collection
      await demandReason(
        other.token,
        { reason: 'otherObjectType', objectType },
        `the token names no state of ${objectType}`,
      )
    },
  },
  {
    clause: 'P242',
    title: 'a snapshot token belongs to no caller',
    run: async (subject) => {
      const { otherToken } = subject
      if (otherToken === undefined) skip('needs --other-token, of a second caller who may read the type')
      await requireSnapshotTokens(subject)
      const { token } = await takeSnapshot(subject, 'P242')
      await demandReadable(subject, token, { token: otherToken })
    },
  },
  {
    clause: 'P242',
    title: 'a snapshot token is valid on another instance of the deployment',
    run: async (subject) => {
      const { otherUrl } = subject
      if (otherUrl === undefined) skip('needs --other-url, a second instance')
      await requireSnapshotTokens(subject)
      const { token } = await takeSnapshot(subject, 'P242')
      await demandReadable(subject, token, { url: otherUrl })
    },
  },
]

/** Every way to read objects with a snapshot token. */
async function readsAt(
  { collection, send, ...subject }: Subject,
  snapshotToken: string,
): Promise<readonly Exchange[]> {
  const page = await askForPage({ collection, send }, { pageSize: 2, snapshotToken })
  const [record] = subject.sample
  if (collection.revision !== '1.0' || record === undefined) return [page]
  const path = objectPath(collection, keyOf(subject, record))
  return [page, await send(getRequest(`${path}?snapshotToken=${encodeURIComponent(snapshotToken)}`))]
}

/** Demands that a token is good for another caller or on another instance: both must then read what they read without it. */
async function demandReadable(subject: Subject, snapshotToken: string, as: SendOptions): Promise<void> {
  await readPage(subject, 'P242', { pageSize: 3, snapshotToken })
  const own = await readPage(subject, 'P242', { pageSize: 3, snapshot: true }, as)
  const named = await readPage(subject, 'P242', { pageSize: 3, snapshotToken }, as)
  demand(JSON.stringify(named.page.data) === JSON.stringify(own.page.data), {
    clause: 'P242',
    expected: 'the data of a new snapshot walk, since nothing was written since the token was taken',
    exchange: named.exchange,
  })
}
