// The targets of bad requests: a collection that must stay unchanged, and another ontology that they may change.
import { describedServiceRoutes } from '../../packages/service/test/support/described-service-routes.ts'
import { itemId, loadItems } from '../../packages/service/test/support/load-items.ts'
import { listing, searching } from '../../packages/service/test/support/page-revisions.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import type { WirePage } from '../../packages/service/test/support/walk-over-http.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import {
  gatherRows,
  revokeAccessToken,
  type ObjectType,
  type Store,
} from '../../packages/service/test/inside.ts'
import type { KeepAliveClient } from '../harness/keep-alive-client.ts'
import { loadedType, spoiltOntology, spoiltTypes, type BadInputTarget } from './spoilt-ontology.ts'
import type { ServedItems } from './serve-items.ts'

export async function targetOf(
  { collection, store }: ServedItems,
  client: KeepAliveClient,
): Promise<BadInputTarget> {
  const [route, ...routes] = await describedServiceRoutes()
  if (route === undefined) throw new Error('no endpoint describes itself')
  const spoilt = await store.applyOntology({ apiName: spoiltOntology, displayName: 'Spoilt' })
  const loads: Record<string, string> = {}
  const finishedLoads: Record<string, string> = {}
  for (const apiName of spoiltTypes) {
    const { type } = await loadItems(store, spoilt, 20, apiName)
    const [open, finished] = [await newLoad(store, type), await newLoad(store, type)]
    await store.loads.finish({ type, load: finished })
    loads[apiName] = open
    finishedLoads[apiName] = finished
  }
  const loaded = await loadItems(store, spoilt, 20, loadedType)
  const partLoad = await newLoad(store, loaded.type)

  const reader = await newTokenOf(store, { subject: 'reader', scopes: ['api:ontologies-read'] })
  const writer = await newTokenOf(store, { subject: 'writer', scopes: ['api:ontologies-write'] })
  const stranger = await newTokenOf(store, { subject: 'stranger' })
  const expired = await newTokenOf(store, { subject: 'reader', expiresAt: '2020-01-01T00:00:00Z' })
  const revoked = await newTokenOf(store, { subject: 'reader' })
  await revokeAccessToken(store.database, revoked.id, new Date())
  await grantTo(store, 'reader', collection.ontologyRid, 'reader')
  await grantTo(store, 'writer', spoilt.rid, 'writer')

  return {
    ...collection,
    routes: [route, ...routes],
    tokens: await tokensOf(collection, client),
    snapshotToken: await snapshotTokenOf(collection, client),
    credentials: [reader.token, writer.token, stranger.token, expired.token, revoked.token],
    spoilt: {
      ontologyRid: spoilt.rid,
      accessTokenIds: [revoked.id, expired.id],
      loads,
      finishedLoads,
      partLoad,
    },
  }
}

async function newLoad({ loads }: Store, type: ObjectType): Promise<string> {
  const load = await loads.begin(type, { replaces: false })
  const rows = await gatherRows([{ type, changes: [putObject(type, { id: itemId(1), rank: 1 })] }])
  await loads.addPart(type, load, { part: '0', digest: 'any', ...rows })
  return load
}

async function snapshotTokenOf(
  collection: ServedItems['collection'],
  client: KeepAliveClient,
): Promise<string> {
  const { path, init } = searching.call(collection, { pageSize: 1_000, snapshot: true })
  const answer = await client.send({ path, ...init })
  return (JSON.parse(answer.text) as WirePage).snapshotToken ?? ''
}

async function tokensOf(
  collection: ServedItems['collection'],
  client: KeepAliveClient,
): Promise<BadInputTarget['tokens']> {
  const tokens: string[] = []
  for (const revision of [listing, searching]) {
    for (const snapshot of [false, true]) {
      const { path, init } = revision.call(collection, { pageSize: 3, snapshot })
      const answer = await client.send({ path, ...init })
      tokens.push((JSON.parse(answer.text) as WirePage).nextPageToken ?? '')
    }
  }
  const [first = '', ...rest] = tokens
  return [first, ...rest]
}
