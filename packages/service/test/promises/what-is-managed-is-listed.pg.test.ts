import { timestampTextPattern } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it, vi } from 'vitest'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) {
    await service.store.applyObjectType(service.ontology, itemDefinition(name))
    await service.store.applyOntology({ apiName: name, displayName: name })
    await newTokenOf(service.store, { subject: name })
    await grantTo(service.store, name, service.ontology.rid, 'reader')
    await manage.commit([put({ id: name })], { objectType: 'a', key: `key-${name}` })
    await manage.request('POST', 'loads', { objectTypes: ['a'] })
  }
  // Created by another process: this one checks every second.
  await vi.waitUntil(async () => (await pageOf('/manage/v1/ontologies')).data.length === 4, 60_000)
})

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly nextPageToken?: string
}

const pageOf = async (path: string): Promise<Page> => {
  const { status, json } = await manage.request('GET', path)
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json as Page
}

/** All pages, with one item each. */
const walk = async (path: string) => {
  const pages: Page[] = []
  for (let token = ''; ;) {
    const page = await pageOf(`${path}?pageSize=1${token}`)
    pages.push(page)
    if (page.nextPageToken === undefined) return pages
    token = `&pageToken=${page.nextPageToken}`
  }
}

const lists = {
  ontologies: '/manage/v1/ontologies',
  'object types': 'objectTypes',
  loads: 'loads',
  'access tokens': '/manage/v1/accessTokens',
  grants: 'grants',
}

it.for(Object.entries(lists))('P140: the list of %s is paginated like every other', async ([, path]) => {
  const { data: all } = await pageOf(path)
  expect(all.length).toBeGreaterThanOrEqual(3)
  const pages = await walk(path)
  expect(pages.flatMap(({ data }) => data)).toEqual(all)
  // One item per page, no empty page, and no token on the last page, which is full.
  expect(pages.map(({ data }) => data.length)).toEqual(all.map(() => 1))
  for (const [query, errorName] of [
    ['pageSize=0', 'InvalidPageSize'],
    ['pageToken=abc', 'InvalidPageToken'],
    ['limit=1', 'UnknownParameter'],
  ]) {
    expect((await manage.request('GET', `${path}?${query}`)).json).toMatchObject({ errorName })
  }
  const token = pages[0]?.nextPageToken ?? ''
  const other = path === 'grants' ? 'objectTypes' : 'grants'
  expect((await manage.request('GET', `${other}?pageToken=${token}`)).json).toMatchObject(
    errorNamed('InvalidPageToken', { reason: 'requestChanged' }),
  )
})

it('P138, P405: an access token is shown once, listed without its secret, and refused once it is revoked', async () => {
  const request = {
    subject: 'loader',
    groups: ['staff'],
    scopes: ['api:ontologies-read'],
    description: 'at night',
  }
  const made = await manage.request('POST', '/manage/v1/accessTokens', request)
  const { accessToken, ...record } = made.json as Record<string, string>
  expect(record).toEqual({ ...request, accessTokenId: expect.any(String), createdAt: expect.any(String) })
  const use = () =>
    service.fetch('/api/v1/ontologies', { headers: { authorization: `Bearer ${accessToken}` } })
  expect((await use()).status).toBe(200)
  const list = JSON.stringify((await pageOf('/manage/v1/accessTokens')).data)
  expect(list).toContain(record['accessTokenId'])
  expect(list).not.toContain(accessToken)
  const path = `/manage/v1/accessTokens/${record['accessTokenId']}`
  expect(made).toMatchObject({ status: 201, location: path })
  expect((await manage.request('GET', path)).json).toEqual(record)
  expect(await manage.request('DELETE', path)).toMatchObject({ status: 204, json: undefined })
  const revoked = (await manage.request('GET', path)).json
  expect(revoked).toEqual({ ...record, revokedAt: expect.any(String) })
  expect(await manage.request('DELETE', path)).toMatchObject({ status: 204 })
  expect((await manage.request('GET', path)).json).toEqual(revoked)
  expect((await use()).status).toBe(401)
  expect((await manage.request('DELETE', '/manage/v1/accessTokens/none')).json).toMatchObject({
    errorName: 'AccessTokenNotFound',
  })
})

it('P138: a request for a token that could never work is refused', async () => {
  const request = { subject: 'loader', scopes: ['api:ontologies-read'] }
  for (const body of [
    { ...request, scopes: ['api:everything'] },
    { ...request, scopes: [] },
    { ...request, subject: 'a\u0000b' },
    { ...request, expiresAt: '2001-01-01T00:00:00Z' },
    { ...request, secret: 'mine' },
  ]) {
    const refused = await manage.request('POST', '/manage/v1/accessTokens', body)
    expect(refused).toMatchObject({ status: 422, json: { errorName: 'Conjure:UnprocessableEntity' } })
  }
})

it('P413: a token ends at a time in any form with a zone, and every time is returned in one form', async () => {
  const created = async (expiresAt: string) =>
    manage.request('POST', '/manage/v1/accessTokens', {
      subject: 'loader',
      scopes: ['api:ontologies-read'],
      expiresAt,
    })
  for (const [given, returned] of [
    ['2130-01-01T00:00:00.000Z', '2130-01-01T00:00:00Z'],
    ['2130-01-01T00:00:00.250Z', '2130-01-01T00:00:00.25Z'],
    ['2130-01-01T01:00:00.123456+01:00', '2130-01-01T00:00:00.123456Z'],
    ['2130-01-01t00:00:00z', '2130-01-01T00:00:00Z'],
  ] as const) {
    const { json } = await created(given)
    expect(json).toMatchObject({
      expiresAt: returned,
      createdAt: expect.stringMatching(new RegExp(timestampTextPattern)),
    })
    const { accessTokenId, createdAt } = json as Record<string, string>
    const path = `/manage/v1/accessTokens/${accessTokenId}`
    await manage.request('DELETE', path)
    expect((await manage.request('GET', path)).json).toMatchObject({
      expiresAt: returned,
      createdAt,
      revokedAt: expect.stringMatching(new RegExp(timestampTextPattern)),
    })
  }
  for (const wrong of ['2130-01-01', '2130-01-01T00:00:00', '2130-01-01T00:00:00.1234567Z', 'tomorrow', '']) {
    const { json } = await created(wrong)
    expect(json).toMatchObject(
      errorNamed('Conjure:UnprocessableEntity', {
        path: '/expiresAt',
        problem: expect.stringContaining('such as 2030-01-31T12:00:00Z'),
      }),
    )
  }
})

it('P180: a field that is null counts as absent in what is managed', async () => {
  const token = { subject: 'loader', scopes: ['api:ontologies-read'] }
  const nulls = { groups: null, description: null, expiresAt: null }
  const made = await manage.request('POST', '/manage/v1/accessTokens', { ...token, ...nulls })
  expect(made).toMatchObject({ status: 201, json: { ...token, groups: [] } })
  expect(made.json).not.toHaveProperty('expiresAt')
  const grant = await manage.request('PUT', 'grants/subjects/nullable', { role: 'reader', principal: null })
  expect(grant.status).toBe(201)
  expect(await manage.request('PUT', 'grants/subjects/nullable', { role: null })).toMatchObject({
    status: 422,
    json: { parameters: { problem: 'it lacks the field "role"' } },
  })
  const ontology = { apiName: 'nullable', displayName: 'Nullable', description: null, apiFamilies: null }
  const applied = await manage.request('PUT', '/manage/v1/ontologies/nullable', ontology)
  expect(applied.status).toBe(201)
  const definition = itemDefinition('item')
  const written = await manage.request('PUT', `${applied.location}/objectTypes/item`, {
    ...definition,
    description: null,
    links: null,
    policy: null,
    properties: { ...definition.properties, none: null, other: { type: 'string', searchable: null } },
  })
  expect(written).toMatchObject({ status: 201 })
  const { json } = await manage.request('GET', written.location ?? '')
  expect(json).toMatchObject({ definition: { properties: { other: { type: 'string' } } } })
  expect(json).not.toHaveProperty('definition.properties.none')
})

it('P404: what was made is answered with 201 and its address, what was there with 200', async () => {
  const ontology = { apiName: 'addressed', displayName: 'Addressed' }
  const path = '/manage/v1/ontologies/addressed'
  expect(await manage.request('PUT', `${path}?dryRun=true`, ontology)).toMatchObject({
    status: 200,
    location: null,
    json: { outcome: 'created' },
  })
  const made = await manage.request('PUT', path, ontology)
  expect(made.status).toBe(201)
  expect((await manage.request('GET', made.location ?? '')).json).toMatchObject(ontology)
  expect(await manage.request('PUT', path, ontology)).toMatchObject({ status: 200, location: null })

  const typePath = `${made.location}/objectTypes/item`
  const definition = itemDefinition('item')
  expect(await manage.request('PUT', `${typePath}?dryRun=true`, definition)).toMatchObject({ status: 200 })
  expect(await manage.request('PUT', typePath, definition)).toMatchObject({ status: 201, location: typePath })
  for (const description of ['Item', 'Item', 'Thing']) {
    const again = await manage.request('PUT', typePath, { ...definition, description })
    expect(again).toMatchObject({ status: 200, location: null })
  }
})

it('P139: a grant is given, changed, listed and removed, and takes effect with the next request', async () => {
  const { token } = await newTokenOf(service.store, { subject: 'newcomer', groups: ['visitors'] })
  const statusOf = async () =>
    (
      await service.fetch(`/manage/v1/ontologies/${service.ontology.rid}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  expect(await statusOf()).toBe(404)
  const principal = { type: 'group', name: 'visitors' }
  const path = 'grants/groups/visitors'
  const given = await manage.request('PUT', path, { role: 'reader' })
  const location = `${manage.base}/${path}`
  expect(given).toEqual({ status: 201, location, json: { principal, role: 'reader' } })
  expect(await statusOf()).toBe(200)
  for (const role of ['reader', 'writer']) {
    const again = await manage.request('PUT', path, { role })
    expect(again).toEqual({ status: 200, location: null, json: { principal, role } })
  }
  expect((await pageOf('grants')).data).toContainEqual({ principal, role: 'writer' })
  expect((await manage.request('GET', location)).json).toEqual({ principal, role: 'writer' })
  expect(await manage.request('GET', 'grants/subjects/visitors')).toMatchObject({ status: 404 })
  expect(await manage.request('DELETE', path)).toEqual({ status: 204, location: null, json: undefined })
  expect(await statusOf()).toBe(404)
  for (const method of ['DELETE', 'GET']) {
    expect(await manage.request(method, path)).toMatchObject({
      status: 404,
      json: errorNamed('GrantNotFound', { principalType: 'group', principalName: 'visitors' }),
    })
  }
  const refused = await manage.request('PUT', path, { role: 'admin' })
  expect(refused.json).toMatchObject(errorNamed('Conjure:UnprocessableEntity', { path: '/role' }))
})

it.each(['a/b', 'c d', '100%', 'e%2Ff', 'ü:?#'])(
  'P139: a grant of %s is read, listed and removed at the address that was returned',
  async (name) => {
    for (const type of ['subject', 'group']) {
      const path = `grants/${type}s/${encodeURIComponent(name)}`
      const grant = { principal: { type, name }, role: 'reader' }
      const { status, location, json } = await manage.request('PUT', path, { role: 'reader' })
      expect({ status, location, json }).toEqual({
        status: 201,
        location: `${manage.base}/${path}`,
        json: grant,
      })
      expect((await manage.request('GET', location ?? '')).json).toEqual(grant)
      expect((await pageOf('grants?pageSize=500')).data).toContainEqual(grant)
      expect((await manage.request('DELETE', location ?? '')).status).toBe(204)
    }
  },
)

it('P155: a reader sees ontologies and nothing more, a writer also the status of types, an owner also who has access', async () => {
  const statuses: Record<string, readonly number[]> = {}
  for (const role of ['reader', 'writer', 'owner'] as const) {
    await grantTo(service.store, `the-${role}`, service.ontology.rid, role)
    const { token } = await newTokenOf(service.store, { subject: `the-${role}` })
    statuses[role] = await Promise.all(
      ['', '/objectTypes', '/objectTypes/a', '/objectTypes/a/statistics', '/grants'].map(async (path) => {
        const url = `/manage/v1/ontologies/${service.ontology.rid}${path}`
        return (await service.fetch(url, { headers: { authorization: `Bearer ${token}` } })).status
      }),
    )
  }
  expect(statuses).toEqual({
    reader: [200, 403, 403, 403, 403],
    writer: [200, 200, 200, 200, 403],
    owner: [200, 200, 200, 200, 200],
  })
})

it('what is changed is in the audit, with who changed it', () => {
  const changes = service.observations.filter(({ kind }) => kind === 'change-made')
  expect(changes).toContainEqual(
    expect.objectContaining({
      subject: 'tester',
      action: 'commit',
      objectType: 'a',
      details: { version: '1' },
      objects: 1,
    }),
  )
  for (const action of ['createAccessToken', 'revokeAccessToken', 'putGrant', 'removeGrant']) {
    expect(changes).toContainEqual(expect.objectContaining({ subject: 'tester', action }))
  }
})
