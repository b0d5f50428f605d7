// The access matrix: each endpoint of the route table with each kind of caller. An endpoint without a row here fails.
import { rightOfScope, scopes, type GrantRole, type Right } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { newAccessToken } from '../../src/guard/auth/access-token.ts'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { addGrant } from '../../src/manage/grants.ts'
import { gatherRows } from '../../src/write/bulk/load-rows.ts'
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

const lines = (...some: readonly object[]): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-ndjson' },
  body: some.map((line) => JSON.stringify(line)).join('\n'),
})

/** The token of the state without objects. */
let emptyState = ''

/** The load that a request is about. */
let loadId = ''

const loadsOf = (ontologyRid: string) => `/manage/v1/ontologies/${ontologyRid}/loads`

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

/** A request to one endpoint, and its answer to a caller for whom the ontology does not exist. */
interface Row {
  readonly path: (collection: Collection) => string
  readonly init?: RequestInit | ((collection: Collection) => RequestInit)
  /** Creates what the request is about, for each caller. */
  readonly prepare?: (service: PromisedService, collection: Collection) => Promise<unknown>
  /** The smallest role for which it works; absent if no ontology is involved. */
  readonly role?: GrantRole
  /** How it answers a request that works, if not with 200: no test of this file opens a web socket. */
  readonly works?: 'InvalidParameterValue'
  readonly withoutGrant:
    'OntologyNotFound' | 'ApiFamilyNotFound' | 'OntologyAlreadyExists' | 'an empty list' | 'the same'
}

const grantCalls = (kind: 'Subject' | 'Group'): Readonly<Record<string, Row>> => {
  const type = kind === 'Subject' ? 'subject' : 'group'
  const path = ({ ontologyRid }: Collection) => `/manage/v1/ontologies/${ontologyRid}/grants/${type}s/victim`
  const prepare = async ({ store }: PromisedService, { ontologyRid }: Collection) =>
    addGrant(store.database, ontologyRid, { principal: { type, name: 'victim' }, role: 'reader' })
  return {
    [`putGrantOf${kind}`]: {
      path,
      init: { ...jsonBody({ role: 'reader' }), method: 'PUT' },
      prepare,
      role: 'owner',
      withoutGrant: 'OntologyNotFound',
    },
    [`getGrantOf${kind}`]: { path, prepare, role: 'owner', withoutGrant: 'OntologyNotFound' },
    [`removeGrantOf${kind}`]: {
      path,
      init: { method: 'DELETE' },
      prepare,
      role: 'owner',
      withoutGrant: 'OntologyNotFound',
    },
  }
}

const rows: Readonly<Record<string, Row>> = {
  listObjects: {
    path: ({ ontologyRid, objectType }) => `/api/v1/ontologies/${ontologyRid}/objects/${objectType}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listLinkedObjects: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v1/ontologies/${ontologyRid}/objects/${objectType}/${itemId(1)}/links/same`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  searchLinkedObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/links/same/search`,
    init: jsonBody({ query: { type: 'empty' } }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  listLinkPairs: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/links/same/pairs`,
    init: jsonBody({ query: { type: 'empty' } }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  loadObjectSetV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/objectSets/loadObjects`,
    init: ({ objectType }) => jsonBody({ objectSet: { type: 'base', objectType } }),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  loadObjectSetOfSeveralTypesV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/objectSets/loadObjectsMultipleObjectTypes`,
    init: ({ objectType }) => jsonBody({ objectSet: { type: 'base', objectType } }),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  aggregateObjectSetV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/objectSets/aggregate`,
    init: ({ objectType }) =>
      jsonBody({ objectSet: { type: 'base', objectType }, aggregation: [{ type: 'count' }] }),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listObjectsV2: {
    path: ({ ontologyRid, objectType }) => `/api/v2/ontologies/${ontologyRid}/objects/${objectType}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getObjectV2: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objects/${objectType}/${itemId(1)}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  searchObjectsV2: {
    path: ({ ontologyRid, objectType }) => `/api/v2/ontologies/${ontologyRid}/objects/${objectType}/search`,
    init: jsonBody({}),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  countObjectsV2: {
    path: ({ ontologyRid, objectType }) => `/api/v2/ontologies/${ontologyRid}/objects/${objectType}/count`,
    init: { method: 'POST' },
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  aggregateObjectsV2: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objects/${objectType}/aggregate`,
    init: jsonBody({ aggregation: [{ type: 'count' }] }),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listLinkedObjectsV2: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objects/${objectType}/${itemId(1)}/links/same`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getOntologyV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getOntologyFullMetadata: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/fullMetadata`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  loadOntologyMetadata: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/metadata`,
    init: jsonBody({}),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listObjectTypesV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologies/${ontologyRid}/objectTypes`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getObjectTypeV2: {
    path: ({ ontologyRid, objectType }) => `/api/v2/ontologies/${ontologyRid}/objectTypes/${objectType}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getObjectTypeFullMetadata: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objectTypes/${objectType}/fullMetadata`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listOutgoingLinkTypesV2: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objectTypes/${objectType}/outgoingLinkTypes`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getOutgoingLinkTypeV2: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v2/ontologies/${ontologyRid}/objectTypes/${objectType}/outgoingLinkTypes/same`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listOntologiesV2: { path: () => '/api/v2/ontologies', withoutGrant: 'an empty list' },
  countObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/count`,
    init: jsonBody({ query: { type: 'empty' } }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  aggregateObjects: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v1/ontologies/${ontologyRid}/objects/${objectType}/aggregate`,
    init: jsonBody({ aggregation: [{ type: 'count' }] }),
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  aggregateFamilyObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/aggregate`,
    init: jsonBody({ aggregation: [{ type: 'count' }] }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  readChanges: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/changes`,
    init: () => jsonBody({ fromSnapshotToken: emptyState }),
    prepare: async (asked, { objectType }) => {
      emptyState = await tokenOf(asked, objectType)
    },
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  partitionObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/partitions`,
    init: jsonBody({ partitionCount: 2 }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  takeSnapshot: {
    path: ({ apiFamily }) => `/api/${apiFamily}/v1/snapshots`,
    init: jsonBody({}),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  getObject: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v1/ontologies/${ontologyRid}/objects/${objectType}/${itemId(1)}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listObjectVersions: {
    path: ({ apiFamily, objectType }) =>
      `/api/${apiFamily}/v1/objects/types/${objectType}/objects/${itemId(1)}/versions`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  getFamilyObject: {
    path: ({ apiFamily, objectType }) =>
      `/api/${apiFamily}/v1/objects/types/${objectType}/objects/${itemId(1)}`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  listFamilyLinkedObjects: {
    path: ({ apiFamily, objectType }) =>
      `/api/${apiFamily}/v1/objects/types/${objectType}/objects/${itemId(1)}/links/same`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  exportObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/export`,
    init: jsonBody({}),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  listCommits: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/commits`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  searchObjects: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}/search`,
    init: jsonBody({ query: { type: 'empty' } }),
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  listOntologies: { path: () => '/api/v1/ontologies', withoutGrant: 'an empty list' },
  getOntology: {
    path: ({ ontologyRid }) => `/api/v1/ontologies/${ontologyRid}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listObjectTypes: {
    path: ({ ontologyRid }) => `/api/v1/ontologies/${ontologyRid}/objectTypes`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getObjectType: {
    path: ({ ontologyRid, objectType }) => `/api/v1/ontologies/${ontologyRid}/objectTypes/${objectType}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  listFamilyObjectTypes: {
    path: ({ apiFamily }) => `/api/${apiFamily}/v1/objects/types`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  getFamilyObjectType: {
    path: ({ apiFamily, objectType }) => `/api/${apiFamily}/v1/objects/types/${objectType}`,
    role: 'reader',
    withoutGrant: 'ApiFamilyNotFound',
  },
  listManagedOntologies: { path: () => '/manage/v1/ontologies', withoutGrant: 'an empty list' },
  getManagedOntology: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  applyOntology: {
    path: () => '/manage/v1/ontologies/promised',
    init: {
      ...jsonBody({ apiName: 'promised', displayName: 'Promised', apiFamilies: ['promised'] }),
      method: 'PUT',
    },
    role: 'owner',
    withoutGrant: 'OntologyAlreadyExists',
  },
  listManagedObjectTypes: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}/objectTypes`,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  getManagedObjectType: {
    path: ({ ontologyRid, objectType }) => `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}`,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  applyObjectType: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}/objectTypes/thing`,
    init: {
      ...jsonBody({
        apiName: 'thing',
        displayName: 'Thing',
        primaryKey: 'id',
        titleProperty: 'id',
        properties: { id: { type: 'string' } },
      }),
      method: 'PUT',
    },
    role: 'owner',
    withoutGrant: 'OntologyNotFound',
  },
  getObjectTypeStatistics: {
    path: ({ ontologyRid, objectType }) =>
      `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}/statistics`,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  commitBatch: {
    path: ({ ontologyRid, objectType }) =>
      `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}/batches`,
    init: lines({ type: 'delete', primaryKey: 'nothing' }),
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  commitBatchOfTypes: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}/batches`,
    init: ({ objectType }) => lines({ type: 'delete', objectType, primaryKey: 'nothing' }),
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  replaceObjects: {
    path: ({ ontologyRid, objectType }) =>
      `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}/objects?maxDeletions=3`,
    init: { ...lines({ type: 'put', properties: { id: itemId(1) } }), method: 'PUT' },
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  beginLoad: {
    path: ({ ontologyRid }) => loadsOf(ontologyRid),
    init: ({ objectType }) => jsonBody({ objectTypes: [objectType] }),
    prepare: ({ store, ontology }) => store.pruneLoads(ontology, { unfinishedSeconds: 0, receiptSeconds: 0 }),
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  listLoads: {
    path: ({ ontologyRid }) => loadsOf(ontologyRid),
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  getLoad: {
    path: ({ ontologyRid }) => `${loadsOf(ontologyRid)}/${loadId}`,
    prepare: newLoad,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  giveUpLoad: {
    path: ({ ontologyRid }) => `${loadsOf(ontologyRid)}/${loadId}`,
    init: { method: 'DELETE' },
    prepare: newLoad,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  putLoadPart: {
    path: ({ ontologyRid, objectType }) =>
      `${loadsOf(ontologyRid)}/${loadId}/objectTypes/${objectType}/parts/1`,
    init: { ...lines({ type: 'put', properties: { id: itemId(1) } }), method: 'PUT' },
    prepare: newLoad,
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  finishLoad: {
    path: ({ ontologyRid }) => `${loadsOf(ontologyRid)}/${loadId}/finish`,
    init: { method: 'POST' },
    prepare: async (service, collection) => {
      const load = await newLoad(service, collection)
      const made = putObject(load.type, { id: itemId(1) })
      const rows = await gatherRows([{ type: load.type, changes: [made] }])
      await service.store.loads.addPart(load.type, loadId, { part: '1', digest: '', ...rows })
    },
    role: 'writer',
    withoutGrant: 'OntologyNotFound',
  },
  createAccessToken: {
    path: () => '/manage/v1/accessTokens',
    init: jsonBody({ subject: 'loader', scopes: ['api:ontologies-write'] }),
    withoutGrant: 'the same',
  },
  listAccessTokens: { path: () => '/manage/v1/accessTokens', withoutGrant: 'the same' },
  getAccessToken: {
    path: () => '/manage/v1/accessTokens/victim',
    prepare: makeVictim,
    withoutGrant: 'the same',
  },
  revokeAccessToken: {
    path: () => '/manage/v1/accessTokens/victim',
    init: { method: 'DELETE' },
    prepare: makeVictim,
    withoutGrant: 'the same',
  },
  listAudit: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}/audit`,
    role: 'owner',
    withoutGrant: 'OntologyNotFound',
  },
  listGrants: {
    path: ({ ontologyRid }) => `/manage/v1/ontologies/${ontologyRid}/grants`,
    role: 'owner',
    withoutGrant: 'OntologyNotFound',
  },
  ...grantCalls('Subject'),
  ...grantCalls('Group'),
  subscribeToObjectSetsV2: {
    path: ({ ontologyRid }) => `/api/v2/ontologySubscriptions/ontologies/${ontologyRid}/streamSubscriptions`,
    role: 'reader',
    works: 'InvalidParameterValue',
    withoutGrant: 'OntologyNotFound',
  },
  checkLive: { path: () => '/health/live', withoutGrant: 'the same' },
  checkReady: { path: () => '/health/ready', withoutGrant: 'the same' },
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

it('has a row for every endpoint, and no other', () => {
  expect(routes.map(({ description }) => description.operationId).toSorted()).toEqual(
    Object.keys(rows).toSorted(),
  )
})

const ask = async (row: Row, authorization: string | undefined) => {
  await row.prepare?.(service, collection)
  const init = typeof row.init === 'function' ? row.init(collection) : row.init
  const response = await fetch(service.url + row.path(collection), {
    ...init,
    headers: {
      ...(init?.headers as Record<string, string>),
      ...(authorization !== undefined && { authorization }),
    },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

it.for(routes)(
  'P115, P117, P118, P119, P120: $description.operationId answers each kind of caller as it should',
  async ({ description: { operationId, right } }) => {
    const row = rows[operationId]
    if (row === undefined) throw new Error(`no row for ${operationId}`)
    const seen: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const [kind, caller] of Object.entries(callers)) {
      const answer = await ask(row, caller.authorization)
      seen[kind] = answer.status < 300 ? whatIsIn(answer.text) : refusalOf(answer).errorName
      wanted[kind] = expected(row, right, caller)
    }
    expect(Object.keys(seen)).toHaveLength(21)
    expect(seen).toEqual(wanted)
  },
)

function expected(row: Row, right: Right | 'public', { known, scopes: had }: KindOfCaller): string {
  if (right === 'public') return 'something'
  if (known === 'at the door') return 'Default:Unauthorized'
  if (had !== undefined && !had.includes(scopes[right].name)) return 'ApiUsageDenied'
  if (known === 'by grants') return row.withoutGrant === 'the same' ? 'something' : row.withoutGrant
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
  expect(refusalOf(answer)).toEqual({
    status: 403,
    errorName: 'ApiUsageDenied',
    parameters: { missingScope: 'api:ontologies-read' },
  })
  expect(rightOfScope('api:ontologies-read')).toBe('read')
})

it('P117, P155: whoever may declare types may not make a token, and so be anybody', async () => {
  const answer = await answerOf(service, '/manage/v1/accessTokens', {
    ...jsonBody({ subject: 'owner', scopes: ['api:ontologies-read'] }),
    headers: {
      'content-type': 'application/json',
      authorization: callers['all scopes but tokens']?.authorization ?? '',
    },
  })
  expect(refusalOf(answer)).toEqual({
    status: 403,
    errorName: 'ApiUsageDenied',
    parameters: { missingScope: 'api:tokens-admin' },
  })
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
