import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { SendOptions } from '../exchange/send.ts'
import { demandRefusal } from './refusal.ts'
import {
  countRequest,
  getRequest,
  objectTypePath,
  objectTypesPath,
  pageRequest,
  postRequest,
  snapshotsPath,
} from '../subject/page-request.ts'
import { askForPage } from '../subject/subject.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'
import { tokenOf } from './page-tokens.ts'

export const strangers: readonly SendOptions[] = [{ token: null }, { token: 'octavo-conformance-unknown' }]

export function demandUnauthorized(clause: string, exchange: Exchange): void {
  demandRefusal(exchange, {
    clause,
    name: 'Default:Unauthorized',
    because: 'the request carries no valid bearer token',
  })
  demand(/^Bearer\b/.test(exchange.headers.get('www-authenticate') ?? ''), {
    clause,
    expected: 'the header WWW-Authenticate: Bearer',
    found: exchange.headers.get('www-authenticate') ?? 'none',
    exchange,
  })
}

export const accessCases: readonly Case[] = [
  {
    clause: 'P115',
    title: 'the first page and the lists are refused without a valid bearer token',
    run: async (subject) => {
      const { collection, send } = subject
      for (const stranger of strangers) {
        demandUnauthorized('P115', await askForPage(subject, { pageSize: 2 }, stranger))
      }
      for (const path of [objectTypesPath(collection), objectTypePath(collection)]) {
        demandUnauthorized('P115', await send(getRequest(path), { token: null }))
      }
    },
  },
  {
    clause: 'P115',
    title: 'a later page is refused without a valid bearer token, though its page token is right',
    run: async (subject) => {
      for (const snapshot of [false, true]) {
        const ask = { pageSize: 2, snapshot }
        const pageToken = await tokenOf(subject, ask)
        for (const stranger of strangers) {
          demandUnauthorized('P115', await askForPage(subject, { ...ask, pageToken }, stranger))
        }
      }
    },
  },
  {
    clause: 'P115',
    title: 'a snapshot token does not stand in for a bearer token',
    run: async (subject) => {
      await requireSnapshotTokens(subject)
      const { collection, send } = subject
      const { token: snapshotToken } = await takeSnapshot(subject, 'P241')
      for (const stranger of strangers) {
        demandUnauthorized('P115', await askForPage(subject, { pageSize: 2, snapshotToken }, stranger))
        if (collection.revision === '1.0') continue
        demandUnauthorized('P115', await send(countRequest(collection, { snapshotToken }), stranger))
        demandUnauthorized('P115', await send(postRequest(snapshotsPath(collection), {}), stranger))
      }
    },
  },
  {
    clause: 'P116',
    title: 'nothing in a request is looked at before its authentication',
    run: async (subject) => {
      const { collection, send } = subject
      const wrong = [
        pageRequest(collection, { pageSize: 0 }),
        pageRequest(collection, { pageToken: 'none' }),
        pageRequest({ ...collection, objectType: 'octavoConformanceNone' }, {}),
        pageRequest({ ...collection, ontology: 'octavo-conformance-none' }, {}),
      ]
      for (const request of wrong) demandUnauthorized('P116', await send(request, { token: null }))
    },
  },
  {
    clause: 'P120',
    title: 'an ontology that does not exist is not found',
    run: async ({ collection, send }) => {
      const none =
        collection.revision === '1.0' ? 'ri.ontology.main.ontology.octavo-conformance-none' : 'octavo-none'
      demandRefusal(await send(pageRequest({ ...collection, ontology: none }, {})), {
        clause: 'P120',
        name: collection.revision === '1.0' ? 'OntologyNotFound' : 'ApiFamilyNotFound',
        because: 'there is no such ontology',
      })
    },
  },
]
