// The matrix of access: each endpoint of the route table against each kind of caller. An endpoint without a row here fails.
import { rightOfScope, type GrantRole } from '@octavo/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccessToken } from '../auth/access-token.ts'
import { revokeAccessToken } from '../manage/access-tokens.ts'
import { addGrant } from '../manage/grants.ts'
import { answerOf } from '../testing/answer-of.ts'
import { describedServiceRoutes } from '../testing/described-service-routes.ts'
import { refusalOf } from '../testing/error-answer.ts'
import { itemId, loadItems } from '../testing/load-items.ts'
import { jsonBody, type Collection } from '../testing/page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from '../testing/serve-on-fresh-database.ts'
import { everyScope, grantTo, newTokenOf } from '../testing/test-access.ts'

/** A request to one endpoint, and what it says to a caller for whom the ontology does not exist. */
interface Row {
  readonly path: (collection: Collection) => string
  readonly init?: RequestInit
  /** The smallest role that it works for; none where no ontology is involved. */
  readonly role?: GrantRole
  readonly withoutGrant: 'OntologyNotFound' | 'ApiFamilyNotFound' | 'an empty list' | 'the same'
}

const rows: Readonly<Record<string, Row>> = {
  listObjects: {
    path: ({ ontologyRid, objectType }) => `/api/v1/ontologies/${ontologyRid}/objects/${objectType}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
  },
  getObject: {
    path: ({ ontologyRid, objectType }) =>
      `/api/v1/ontologies/${ontologyRid}/objects/${objectType}/${itemId(1)}`,
    role: 'reader',
    withoutGrant: 'OntologyNotFound',
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
  checkLive: { path: () => '/health/live', withoutGrant: 'the same' },
  checkReady: { path: () => '/health/ready', withoutGrant: 'the same' },
}

type Stopped = 'at the door' | 'by its scopes' | 'by grants' | GrantRole

const callers: Readonly<Record<string, { readonly authorization?: string; readonly known: Stopped }>> = {}
const routes = await describedServiceRoutes()

let service: PromisedService
let collection: Collection

beforeAll(async () => {
  service = await serveOnFreshDatabase()
  ;({ collection } = await loadItems(service.store, service.ontology, 3))
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
    'wrong scope': {
      authorization: await bearer('owner', { scopes: everyScope.filter((scope) => !scope.endsWith('read')) }),
      known: 'by its scopes',
    },
    'admin scope alone': {
      authorization: await bearer('owner', { scopes: ['api:ontologies-admin'] }),
      known: 'by its scopes',
    },
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

afterAll(() => service.close())

it('has a row for every endpoint, and no other', () => {
  expect(routes.map(({ description }) => description.operationId).toSorted()).toEqual(
    Object.keys(rows).toSorted(),
  )
})

const ask = (row: Row, authorization: string | undefined) =>
  fetch(service.url + row.path(collection), {
    ...row.init,
    headers: {
      ...(row.init?.headers as Record<string, string>),
      ...(authorization !== undefined && { authorization }),
    },
  }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
    headers: response.headers,
  }))

it.for(routes)(
  'P115, P117, P118, P119, P120: $description.operationId answers each kind of caller as it should',
  async ({ description: { operationId, right } }) => {
    const row = rows[operationId]
    if (row === undefined) throw new Error(`no row for ${operationId}`)
    const seen: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const [kind, { authorization, known }] of Object.entries(callers)) {
      const answer = await ask(row, authorization)
      seen[kind] = answer.status === 200 ? whatIsIn(answer.text) : refusalOf(answer).errorName
      wanted[kind] = expected(row, right, known)
    }
    expect(Object.keys(seen)).toHaveLength(17)
    expect(seen).toEqual(wanted)
  },
)

/** All scopes wrong are those without reading; no endpoint needs another one yet. */
function expected(row: Row, right: string, known: Stopped): string {
  if (right === 'public') return 'something'
  if (known === 'at the door') return 'Default:Unauthorized'
  if (known === 'by its scopes') return right === 'read' ? 'ApiUsageDenied' : 'something'
  if (known === 'by grants') return row.withoutGrant === 'the same' ? 'something' : row.withoutGrant
  const order = ['reader', 'writer', 'owner']
  return order.indexOf(known) < order.indexOf(row.role ?? 'reader') ? 'Default:PermissionDenied' : 'something'
}

const whatIsIn = (text: string): string =>
  JSON.stringify((JSON.parse(text) as { data?: unknown }).data) === '[]' ? 'an empty list' : 'something'

it('P117: the refusal names the scope that is missing', async () => {
  const answer = await answerOf(service, '/api/v1/ontologies', {
    headers: { authorization: callers['wrong scope']?.authorization ?? '' },
  })
  expect(refusalOf(answer)).toEqual({
    status: 403,
    errorName: 'ApiUsageDenied',
    parameters: { missingScope: 'api:ontologies-read' },
  })
  expect(rightOfScope('api:ontologies-read')).toBe('read')
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
