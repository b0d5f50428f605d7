// The access matrix: each endpoint of the route table with each kind of caller. One that reads and needs no more than the role of a
// reader is asked as its description says; every other one fails without a row here.
import { forAllTests } from '@octavo/dev-database/vitest'
import { rightOfScope, scopes, type GrantRole } from '@octavo/protocol'
import { beforeAll, expect, it } from 'vitest'
import { newAccessToken } from '../../src/guard/auth/access-token.ts'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { addGrant } from '../../src/manage/grants.ts'
import { moveAlone } from '../../src/write/commit/move-alone.ts'
import { gatherRows } from '../../src/write/bulk/load-rows.ts'
import type { RouteDescription, DescribedRoute } from '../../src/http/openapi/described-as.ts'
import { answerOf } from '../support/answer-of.ts'
import { tokenOf } from '../support/changes-over-http.ts'
import { describedServiceRoutes } from '../support/described-service-routes.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemId } from '../support/load-items.ts'
import { jsonBody, type Collection } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { everyScope, grantTo, newTokenOf } from '../support/test-access.ts'
import { withItems } from '../support/with-items.ts'
import { hasOfficialClients } from '../support/wings-there.ts'
import { defineType } from '../support/define-type.ts'
import { errorWith } from '../support/named-errors.ts'

const lines = (...some: readonly object[]): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-ndjson' },
  body: some.map((line) => JSON.stringify(line)).join('\n'),
})

/** The token of the state without objects. */
let emptyState = ''

/** The load that a request is about. */
let loadId = ''

/** Somebody may have forgotten it. */
async function withSource({ store, ontology: { schema } }: PromisedService): Promise<void> {
  const move = { name: 'victim', order: 'integer', position: '1' } as const
  await store.database.rows({ text: `delete from ${schema}.sources`, values: [] })
  await moveAlone(store.database, { schema, move, digest: '' })
}

async function newLoad({ store, ontology }: PromisedService, { objectType }: Collection) {
  await store.pruneLoads(ontology, { unfinishedSeconds: 0, receiptSeconds: 0 })
  const type = await store.catalog.objectType(ontology, objectType)
  if (type === undefined) throw new Error(`no type ${objectType}`)
  loadId = await store.loads.begin(type, { replaces: false })
  return { type }
}

const makeVictim = ({ store }: PromisedService) =>
  store.database.rows({
    text: `insert into octavo.access_tokens (id, hash, subject, groups, scopes, description, created_at)
values ('victim', 'victim', 'victim', '{}', '{}', '', now()) on conflict (id) do update set revoked_at = null`,
    values: [],
  })

/** What the request to an endpoint and its answers have that its description does not say. */
interface Row {
  /** What a parameter of the path is, if not what others have it be. */
  readonly names?: Readonly<Record<string, string>>
  readonly search?: string
  readonly init?: RequestInit | ((collection: Collection) => RequestInit)
  /** Creates what the request is about, for each caller. */
  readonly prepare?: (service: PromisedService, collection: Collection) => Promise<unknown>
  /** The smallest role for which it works; a reader, unless it is said. */
  readonly role?: GrantRole
  /** How it answers a request that works, if not with 200: no test of this file opens a web socket. */
  readonly works?: 'InvalidParameterValue'
  /** Its answer to a caller for whom the ontology does not exist. */
  readonly withoutGrant?: 'OntologyAlreadyExists' | 'an empty list'
}

const grantCalls = (kind: 'Subject' | 'Group'): Readonly<Record<string, Row>> => {
  const type = kind === 'Subject' ? 'subject' : 'group'
  const prepare = async ({ store }: PromisedService, { ontologyRid }: Collection) =>
    addGrant(store.database, ontologyRid, { principal: { type, name: 'victim' }, role: 'reader' })
  return {
    [`putGrantOf${kind}`]: { init: jsonBody({ role: 'reader' }), prepare, role: 'owner' },
    [`getGrantOf${kind}`]: { prepare, role: 'owner' },
    [`removeGrantOf${kind}`]: { prepare, role: 'owner' },
  }
}

const ofSet = ({ objectType }: Collection) => jsonBody({ objectSet: { type: 'base', objectType } })
const counted = { aggregation: [{ type: 'count' }] }
const thing = defineType('thing', { id: 'string' })

const rowsOfOfficialClients: Readonly<Record<string, Row>> = {
  loadObjectSetV2: { init: ofSet },
  loadObjectSetOfSeveralTypesV2: { init: ofSet },
  aggregateObjectSetV2: {
    init: ({ objectType }) => jsonBody({ objectSet: { type: 'base', objectType }, ...counted }),
  },
  aggregateObjectsV2: { init: jsonBody(counted) },
  listOntologiesV2: { withoutGrant: 'an empty list' },
  subscribeToObjectSetsV2: { works: 'InvalidParameterValue' },
}

const rows: Readonly<Record<string, Row>> = {
  aggregateObjects: { init: jsonBody(counted) },
  aggregateFamilyObjects: { init: jsonBody(counted) },
  searchObjects: { init: jsonBody({ query: { type: 'empty' } }) },
  searchLinkedObjects: { init: jsonBody({ query: { type: 'empty' } }) },
  readChanges: {
    init: () => jsonBody({ fromSnapshotToken: emptyState }),
    prepare: async (asked, { objectType }) => {
      emptyState = await tokenOf(asked, objectType)
    },
  },
  partitionObjects: { init: jsonBody({ partitionCount: 2 }) },
  listOntologies: { withoutGrant: 'an empty list' },
  listManagedOntologies: { withoutGrant: 'an empty list' },
  applyOntology: {
    names: { ontology: 'promised' },
    init: jsonBody({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] }),
    role: 'owner',
    withoutGrant: 'OntologyAlreadyExists',
  },
  listManagedObjectTypes: { role: 'writer' },
  getManagedObjectType: { role: 'writer' },
  applyObjectType: { names: { objectType: 'thing' }, init: jsonBody(thing), role: 'owner' },
  getObjectTypeStatistics: { role: 'writer' },
  commitBatch: { init: lines({ type: 'delete', primaryKey: 'nothing' }), role: 'writer' },
  commitBatchOfTypes: {
    init: ({ objectType }) => lines({ type: 'delete', objectType, primaryKey: 'nothing' }),
    role: 'writer',
  },
  replaceObjects: {
    search: '?maxDeletions=3',
    init: lines({ type: 'put', properties: { id: itemId(1) } }),
    role: 'writer',
  },
  beginLoad: {
    init: ({ objectType }) => jsonBody({ objectTypes: [objectType] }),
    prepare: ({ store, ontology }) => store.pruneLoads(ontology, { unfinishedSeconds: 0, receiptSeconds: 0 }),
    role: 'writer',
  },
  listLoads: { role: 'writer' },
  getLoad: { prepare: newLoad, role: 'writer' },
  giveUpLoad: { prepare: newLoad, role: 'writer' },
  putLoadPart: {
    init: lines({ type: 'put', properties: { id: itemId(1) } }),
    prepare: newLoad,
    role: 'writer',
  },
  finishLoad: {
    prepare: async (service, collection) => {
      const load = await newLoad(service, collection)
      const made = putObject(load.type, { id: itemId(1) })
      const rows = await gatherRows([{ type: load.type, changes: [made] }])
      await service.store.loads.addPart(load.type, loadId, { part: '1', digest: '', ...rows })
    },
    role: 'writer',
  },
  listSources: { prepare: withSource },
  getSource: { prepare: withSource },
  forgetSource: { prepare: withSource, role: 'owner' },
  createAccessToken: { init: jsonBody({ subject: 'loader', scopes: ['api:ontologies-write'] }) },
  listAccessTokens: {},
  getAccessToken: { prepare: makeVictim },
  revokeAccessToken: { prepare: makeVictim },
  listAudit: { role: 'owner' },
  listGrants: { role: 'owner' },
  ...grantCalls('Subject'),
  ...grantCalls('Group'),
  ...(hasOfficialClients && rowsOfOfficialClients),
}

interface KindOfCaller {
  readonly authorization?: string
  readonly known: 'at the door' | 'by grants' | GrantRole
  /** The default is all scopes. */
  readonly scopes?: readonly string[]
}

const callers: Readonly<Record<string, KindOfCaller>> = {}
const routes = await describedServiceRoutes()

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 3)

beforeAll(async () => {
  const { store } = service
  const rid = collection.ontologyRid
  const bearer = async (subject: string, request: Partial<Parameters<typeof newTokenOf>[1]> = {}) =>
    `Bearer ${(await newTokenOf(store, { subject, ...request })).token}`
  for (const role of ['reader', 'writer', 'owner'] as const) await grantTo(store, role, rid, role)
  await addGrant(store.database, rid, { principal: { type: 'group', name: 'staff' }, role: 'reader' })
  await addGrant(store.database, rid, { principal: { type: 'group', name: 'heads' }, role: 'owner' })
  const revoked = await newTokenOf(store, { subject: 'owner' })
  await revokeAccessToken(store.database, revoked.id, new Date())
  const past = new Date(Date.now() - 1_000).toISOString()
  Object.assign(callers, {
    none: { known: 'at the door' },
    malformed: { authorization: 'Bearer oct_x', known: 'at the door' },
    'a JWT without a provider': { authorization: 'Bearer e30.e30.x', known: 'at the door' },
    unknown: { authorization: `Bearer ${newAccessToken()}`, known: 'at the door' },
    expired: { authorization: await bearer('owner', { expiresAt: past }), known: 'at the door' },
    revoked: { authorization: `Bearer ${revoked.token}`, known: 'at the door' },
    ...Object.fromEntries(
      await Promise.all(
        [
          ['read scope alone', ['api:ontologies-read']],
          ['write scope alone', ['api:ontologies-write']],
          ['admin scope alone', ['api:ontologies-admin']],
          ['tokens scope alone', ['api:tokens-admin']],
          ['all scopes but reading', ['api:ontologies-write', 'api:ontologies-admin', 'api:tokens-admin']],
          ['all scopes but tokens', ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin']],
        ].map(async ([name, scopes]) => [
          name,
          { authorization: await bearer('owner', { scopes: scopes as never }), known: 'owner', scopes },
        ]),
      ),
    ),
    'no grant': { authorization: await bearer('stranger'), known: 'by grants' },
    'a group without a grant': {
      authorization: await bearer('stranger', { groups: ['reader', 'visitors'] }),
      known: 'by grants',
    },
    'a subject named like a group': { authorization: await bearer('staff'), known: 'by grants' },
    reader: { authorization: await bearer('reader'), known: 'reader' },
    'reader by a group': { authorization: await bearer('member', { groups: ['staff'] }), known: 'reader' },
    writer: { authorization: await bearer('writer'), known: 'writer' },
    owner: { authorization: await bearer('owner'), known: 'owner' },
    'owner by the greater of two groups': {
      authorization: await bearer('member', { groups: ['staff', 'heads'] }),
      known: 'owner',
    },
    admin: { authorization: await bearer('owner', { scopes: [...everyScope] }), known: 'owner' },
  })
})

it('has a row for every endpoint that does more than read, and none for what is no endpoint', () => {
  const isRead = ({ right }: RouteDescription) => right === 'read' || right === 'public'
  const described = routes.map(({ description }) => description)
  const names = Object.keys(rows)
  expect(described.filter((each) => !isRead(each) && !names.includes(each.operationId))).toEqual([])
  const known = new Set(described.map(({ operationId }) => operationId))
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

/** A right that is declared too low would otherwise be believed. */
it('everything outside of /manage only reads, and of what is there these', () => {
  const reading = routes.flatMap(({ url, description: { right, operationId } }) => {
    const isManaging = url.startsWith('/manage/')
    return isManaging === (right === 'read') || right === 'public' ? [operationId] : []
  })
  expect(reading.toSorted()).toEqual([
    'checkLive',
    'checkReady',
    'getLoad',
    'getManagedObjectType',
    'getManagedOntology',
    'getObjectTypeStatistics',
    'getSource',
    'listLoads',
    'listManagedObjectTypes',
    'listManagedOntologies',
    'listSources',
  ])
})

function pathOf(url: string, { names, search = '' }: Row): string {
  const { ontologyRid: ontology, apiFamily, objectType } = collection
  const known: Readonly<Record<string, string>> = {
    ontology,
    apiFamily,
    objectType,
    loadId,
    primaryKey: itemId(1),
    link: 'same',
    part: '1',
    name: 'victim',
    source: 'victim',
    accessTokenId: 'victim',
    ...names,
  }
  return (
    url.replaceAll(/:(\w+)/g, (_, name: string) => {
      const value = known[name]
      if (value === undefined) throw new Error(`add a value of "${name}" to this test`)
      return value
    }) + search
  )
}

const ask = async ({ method, url, description }: DescribedRoute, row: Row, authorization?: string) => {
  await row.prepare?.(service, collection)
  const given = typeof row.init === 'function' ? row.init(collection) : row.init
  const needsBody = description.body !== undefined && description.bodyIsOptional !== true
  const init = given ?? (needsBody ? jsonBody({}) : {})
  const response = await fetch(service.url + pathOf(url, row), {
    ...init,
    method: method.toUpperCase(),
    headers: {
      ...(init.headers as Record<string, string>),
      ...(authorization !== undefined && { authorization }),
    },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

it.for(routes)(
  'P115, P117, P118, P119, P120: $description.operationId answers each kind of caller as it should',
  async (route) => {
    const row = rows[route.description.operationId] ?? {}
    const seen: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const [kind, caller] of Object.entries(callers)) {
      const answer = await ask(route, row, caller.authorization)
      seen[kind] = answer.status < 300 ? whatIsIn(answer.text) : refusalOf(answer).errorName
      wanted[kind] = expected(route, row, caller)
    }
    expect(Object.keys(seen)).toHaveLength(21)
    expect(seen).toEqual(wanted)
  },
)

function expected(
  { url, description: { right } }: DescribedRoute,
  row: Row,
  { known, scopes: had }: KindOfCaller,
): string {
  if (right === 'public') return 'something'
  if (known === 'at the door') return 'Default:Unauthorized'
  if (had !== undefined && !had.includes(scopes[right].name)) return 'ApiUsageDenied'
  const notFound = url.includes(':apiFamily') ? 'ApiFamilyNotFound' : 'OntologyNotFound'
  const isOfOntology = url.includes(':apiFamily') || url.includes(':ontology')
  if (known === 'by grants') return row.withoutGrant ?? (isOfOntology ? notFound : 'something')
  const order = ['reader', 'writer', 'owner']
  return order.indexOf(known) < order.indexOf(row.role ?? 'reader')
    ? 'Default:PermissionDenied'
    : (row.works ?? 'something')
}

const whatIsIn = (text: string): string =>
  text !== '' &&
  !text.startsWith('{"type":"object"') &&
  JSON.stringify((JSON.parse(text) as { data?: unknown }).data) === '[]'
    ? 'an empty list'
    : 'something'

it('P117: the refusal names the scope that is missing', async () => {
  const answer = await answerOf(service, '/api/v1/ontologies', {
    headers: { authorization: callers['all scopes but reading']?.authorization ?? '' },
  })
  expect(refusalOf(answer)).toEqual(errorWith(403, 'ApiUsageDenied', { missingScope: 'api:ontologies-read' }))
  expect(rightOfScope('api:ontologies-read')).toBe('read')
})

it('P117, P155: a caller that may declare types may not make a token, and so be anybody', async () => {
  const answer = await answerOf(service, '/manage/v1/accessTokens', {
    ...jsonBody({ subject: 'owner', scopes: ['api:ontologies-read'] }),
    headers: {
      'content-type': 'application/json',
      authorization: callers['all scopes but tokens']?.authorization ?? '',
    },
  })
  expect(refusalOf(answer)).toEqual(errorWith(403, 'ApiUsageDenied', { missingScope: 'api:tokens-admin' }))
})

it('P120: a list of ontologies holds those that are granted and no other', async () => {
  const other = await service.store.applyOntology({ apiName: 'other', displayName: 'Other' })
  const list = async (kind: string) => {
    const answer = await answerOf(service, '/api/v1/ontologies', {
      headers: { authorization: callers[kind]?.authorization ?? '' },
    })
    return (JSON.parse(answer.text) as { data: { rid: string }[] }).data.map(({ rid }) => rid)
  }
  const all = async () => {
    const answer = await answerOf(service, '/api/v1/ontologies')
    return (JSON.parse(answer.text) as { data: { rid: string }[] }).data.length
  }
  await expect.poll(all, { timeout: 5_000 }).toBe(2)
  expect(await list('reader')).toEqual([collection.ontologyRid])
  expect(await list('no grant')).toEqual([])
  expect(await list('reader')).not.toContain(other.rid)
})
