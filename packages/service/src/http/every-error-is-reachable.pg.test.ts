// Every row of the error table is the answer to some request.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorNames, errorTable, limits, type ErrorName } from '@octavo/protocol'
import { Client } from 'pg'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasOfficialClients } from '../../test/support/wings-there.ts'
import { describeService } from '../describe-service.ts'
import { employeeDefinition } from '../../test/support/employee.ts'
import { refusalOf } from '../../test/support/error-answer.ts'
import { itemDefinition, loadItems } from '../../test/support/load-items.ts'
import { jsonBody } from '../../test/support/page-revisions.ts'
import { sealerWith } from '../../test/support/reseal-token.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf } from '../../test/support/test-access.ts'
import { startTestService, type TestService } from '../../test/support/start-test-service.ts'

interface Case {
  /** The id of the operation whose description names the error, or none. */
  readonly operation: string
  readonly request: () => Promise<Response>
}

const on = (operation: string, request: Case['request']): Case => ({ operation, request })

const service = forAllTests(() =>
  serveOnFreshDatabase({ environment: { OCTAVO_STATEMENT_TIMEOUT_SECONDS: '1' } }),
)
let list: string
let search: string
let employees: string
const others: TestService[] = []

beforeAll(async () => {
  const { collection } = await loadItems(service.store, service.ontology, 10_001, 'item')
  list = `/api/v1/ontologies/${collection.ontologyRid}/objects/item`
  search = `/api/${collection.apiFamily}/v1/objects/types/item/search`
  await service.store.applyObjectType(service.ontology, employeeDefinition)
  employees = list.replace('/item', '/employee')
})

afterAll(async () => {
  for (const other of others) await other.close()
})

const get = (path: string) => service.fetch(path)
const post = (body: string, contentType = 'application/json') =>
  service.fetch(search, { method: 'POST', body, headers: { 'content-type': contentType } })
const loadSet = (objectSet: object) =>
  service.fetch(`/api/v2/ontologies/${service.ontology.rid}/objectSets/loadObjects`, jsonBody({ objectSet }))
const ofOntology = () => `/manage/v1/ontologies/${service.ontology.rid}`
const moved = (line: string) =>
  service.fetch(`${ofOntology()}/batches`, {
    method: 'POST',
    body: line,
    headers: { 'content-type': 'application/x-ndjson' },
  })
const listed = (query: string): Case => on('listObjects', () => get(`${list}?${query}`))
const searched = (body: object): Case =>
  on('searchObjects', () => post(JSON.stringify({ query: { type: 'empty' }, ...body })))

const filtered = (query: string): Case => on('listObjects', () => get(`${employees}?${query}`))
const asked = (query: object): Case =>
  on('searchObjects', () => service.fetch(search.replace('/item/', '/employee/'), jsonBody({ query })))

const aggregatedOn = (asked: () => TestService, body: object): Case =>
  on('aggregateFamilyObjects', () =>
    asked().fetch(
      search.replace('/search', '/aggregate'),
      jsonBody({ aggregation: [{ type: 'count' }], ...body }),
    ),
  )
const aggregated = (body: object): Case => aggregatedOn(() => service, body)

const cases: Partial<Record<ErrorName, Case>> = {
  AggregateTooExpensive: on('aggregateFamilyObjects', async () => {
    const other = await startTestService({
      databaseUrl: service.databaseUrl,
      environment: { OCTAVO_AGGREGATE_OBJECTS: '1000' },
    })
    others.push(other)
    return aggregatedOn(() => other, { groupBy: [{ type: 'exact', field: 'rank' }] }).request()
  }),
  AggregationGroupCountExceededLimit: aggregated({ groupBy: [{ type: 'exact', field: 'id' }] }),
  AggregationMetricNotSupported: aggregated({ aggregation: [{ type: 'sum', field: 'id' }] }),
  InvalidAggregationOrdering: aggregated({
    aggregation: [
      { type: 'count', direction: 'ASC' },
      { type: 'max', field: 'rank', direction: 'ASC' },
    ],
  }),
  InvalidAggregationRange: aggregated({ groupBy: [{ type: 'fixedWidth', field: 'rank', fixedWidth: 0.5 }] }),
  InvalidSnapshotToken: listed('snapshotToken=x'),
  PathNotFound: on('none', () => get('/api/v3/ontologies')),
  UnsupportedFeature: on('none', () => get('/api/v2/ontologies/promised/actionTypes/x')),
  MethodNotAllowed: on('none', () => service.fetch(list, { method: 'PUT' })),
  RequestTooLarge: on('searchObjects', () => post(' '.repeat(2 ** 20 + 1))),
  'Conjure:UnsupportedMediaType': on('searchObjects', () => post('a,b', 'text/csv')),
  UnsupportedContentEncoding: on('commitBatch', () => batch('{}', { 'content-encoding': 'br' })),
  InvalidCompressedBody: on('commitBatch', () => batch('{}', { 'content-encoding': 'gzip' })),
  MissingPostBody: on('searchObjects', () => post('')),
  'Conjure:UnprocessableEntity': on('searchObjects', () => post('{')),
  UnknownParameter: listed('limit=1'),
  InvalidParameterValue: listed('snapshot=yes'),
  'Default:Unauthorized': on('listObjects', () =>
    service.fetch(list, { headers: { authorization: 'Bearer another-token-of-16' } }),
  ),
  OntologyNotFound: on('listObjects', () => get('/api/v1/ontologies/ri.a.b.c.d/objects/item')),
  ApiFamilyNotFound: on('searchObjects', () =>
    service.fetch(search.replace('promised', 'other'), jsonBody({ query: { type: 'empty' } })),
  ),
  UnsupportedObjectSet: on('loadObjectSetV2', () =>
    loadSet({ type: 'interfaceBase', interfaceType: 'item' }),
  ),
  UnsupportedCondition: on('loadObjectSetV2', () =>
    loadSet({
      type: 'filter',
      objectSet: { type: 'base', objectType: 'item' },
      where: { type: 'regex', field: 'label', value: 'a.*' },
    }),
  ),
  LinkTypeNotFound: on('listLinkedObjects', () => get(`${list}/1/links/other`)),
  LinkedQueryNotSupported: on('partitionObjects', () =>
    service.fetch(
      search.replace('/search', '/partitions'),
      jsonBody({ partitionCount: 2, query: { type: 'linked', link: 'same', query: { type: 'empty' } } }),
    ),
  ),
  ObjectTypeNotFound: on('listObjects', () => get(list.replace('/item', '/other'))),
  ObjectNotFound: on('getObject', () => get(`${list}/none`)),
  PropertiesNotFound: listed('properties=colour'),
  InvalidPageSize: listed('pageSize=0'),
  InvalidPageToken: listed('pageToken=abc'),
  ObjectsExceededLimit: on('listObjects', pastTheLimit),
  ConsistentSnapshotError: on('searchObjects', afterTheSnapshotIsGone),
  SnapshotTooOld: on('takeSnapshot', () =>
    service.fetch('/api/promised/v1/snapshots', jsonBody({ at: '2001-01-01T00:00:00Z' })),
  ),
  ChangesExpired: on('readChanges', sinceAnotherHistory),
  ScanTimedOut: on('listObjects', whileTheTableIsLocked),
  InvalidSortType: listed('orderBy=rank'),
  InvalidSortOrder: listed('orderBy=p.rank:up'),
  DuplicateOrderBy: searched({ orderBy: { fields: [{ field: 'rank' }, { field: 'rank' }] } }),
  PropertiesNotSortable: searched({ orderBy: { fields: [{ field: 'tags' }] } }),
  QueryTooLarge: searched({ query: nested(6) }),
  MalformedPropertyFilters: filtered('p.age.like=1'),
  PropertiesNotFilterable: filtered('p.badge.eq=1'),
  PropertyFiltersNotSupported: filtered('p.age.contains=1'),
  InvalidPropertyFilterValue: filtered('p.age.eq=old'),
  InvalidPropertyFiltersCombination: filtered('p.age.isNull=true&p.age.eq=1'),
  MultiplePropertyValuesNotSupported: filtered('p.age.lt=1&p.age.lt=2'),
  InvalidRangeQuery: filtered('p.age.lt=1&p.age.lte=2'),
  InvalidFields: asked({ type: 'eq', field: 'age:', value: 1 }),
  PropertiesNotSearchable: asked({ type: 'eq', field: 'badge', value: '1' }),
  PropertyTypesSearchNotSupported: asked({ type: 'phrase', field: 'age', value: 'old' }),
  InvalidPropertyValue: asked({ type: 'eq', field: 'age', value: 'old' }),
  'Default:PermissionDenied': on('commitBatch', () => asReader('api:ontologies-write')),
  ApiUsageDenied: on('commitBatch', () => asReader('api:ontologies-read')),
  AccessTokenNotFound: on('revokeAccessToken', () =>
    service.fetch('/manage/v1/accessTokens/none', { method: 'DELETE' }),
  ),
  GrantNotFound: on('removeGrantOfSubject', () =>
    service.fetch(`${managed()}/grants/subjects/nobody`, { method: 'DELETE' }),
  ),
  InvalidDefinition: applied({ ...employeeDefinition, primaryKey: 'none' }),
  IncompatibleDefinition: applied({
    ...employeeDefinition,
    properties: { employeeId: { type: 'string' }, fullName: { type: 'string' } },
    orders: [],
  }),
  OntologyAlreadyExists: on('applyOntology', withATakenName),
  PreconditionFailed: on('applyObjectType', () =>
    service.fetch(`${managed()}/objectTypes/none`, {
      method: 'PUT',
      body: JSON.stringify({ ...employeeDefinition, apiName: 'none' }),
      headers: { 'content-type': 'application/json', 'if-match': '*' },
    }),
  ),
  InvalidBatch: on('commitBatch', () => batch('{}')),
  IdempotencyKeyConflict: on('commitBatch', async () => {
    await batch('{"type":"delete","primaryKey":"a"}', { 'idempotency-key': 'k' })
    return batch('{"type":"delete","primaryKey":"b"}', { 'idempotency-key': 'k' })
  }),
  TooManyDeletions: on('replaceObjects', withoutMostObjects),
  ConditionNotMet: on('commitBatch', () =>
    batch('{"type":"delete","primaryKey":"nobody","if":{"exists":true}}'),
  ),
  SourceNotFound: on('getSource', () => get(`${ofOntology()}/sources/nobody`)),
  SourceOutOfStep: on('commitBatchOfTypes', () =>
    moved('{"type":"source","name":"lost","previousPosition":"1","position":"2"}'),
  ),
  SourceBehind: on('countObjects', async () => {
    await moved('{"type":"source","name":"slow","order":"integer","position":"1"}')
    return service.fetch(
      search.replace('/search', '/count'),
      jsonBody({ afterSource: 'slow', afterPosition: '2' }),
    )
  }),
  LoadNotFound: on('getLoad', () => get(`${loads()}/${'0'.repeat(32)}`)),
  LoadClosed: on('giveUpLoad', async () => {
    const load = await begunLoad()
    await loadPart(load, '1', 'closed')
    await service.fetch(`${load}/finish`, { method: 'POST' })
    return service.fetch(load, { method: 'DELETE' })
  }),
  LoadPartConflict: on('putLoadPart', async () => {
    const load = await begunLoad()
    await loadPart(load, '1', 'one')
    return loadPart(load, '1', 'another')
  }),
  LoadOutdated: on('finishLoad', async () => {
    const load = await begunLoad()
    await loadPart(load, '1', 'outdated')
    await service.store.applyObjectType(service.ontology, {
      ...itemDefinition('item'),
      description: 'Changed since',
    })
    return service.fetch(`${load}/finish`, { method: 'POST' })
  }),
  TooManyLoads: on('beginLoad', async () => {
    for (let begun = 0; begun < limits.load.unfinished; begun += 1) {
      await service.fetch(loads(), jsonBody({ objectTypes: ['item'] }))
    }
    return service.fetch(loads(), jsonBody({ objectTypes: ['item'] }))
  }),
  LoadsNotSupported: on('beginLoad', onACluster),
  BatchTimedOut: on('commitBatch', afterTheTimeOfABatch),
  RateLimited: on('listObjects', pastTheRate),
  Overloaded: on('listObjects', withoutADatabase),
  OutcomeUnknown: {
    operation: 'commitBatch',
    // The server terminates the connection while it commits.
    request: () =>
      whileATriggerRuns('after', 'perform pg_terminate_backend(pg_backend_pid())', () =>
        batch('{"type":"put","properties":{"id":"lost","rank":1}}'),
      ),
  },
  StorageFull: on('commitBatch', () =>
    whileATriggerRuns('before', "raise exception 'no room' using errcode = '53100'", () =>
      batch('{"type":"put","properties":{"id":"large","rank":1}}'),
    ),
  ),
  'Default:Internal': on('listObjects', withABrokenDatabase),
}

function applied(definition: object): Case {
  return on('applyObjectType', () =>
    service.fetch(`${managed()}/objectTypes/employee`, { ...jsonBody(definition), method: 'PUT' }),
  )
}

function managed(): string {
  return `/manage/v1/ontologies/${service.ontology.rid}`
}

function loads(): string {
  return `${managed()}/loads`
}

async function begunLoad(): Promise<string> {
  const response = await service.fetch(loads(), jsonBody({ objectTypes: ['item'] }))
  const { loadId }: { readonly loadId: string } = JSON.parse(await response.text())
  return `${loads()}/${loadId}`
}

function loadPart(load: string, part: string, id: string): Promise<Response> {
  return service.fetch(`${load}/objectTypes/item/parts/${part}`, {
    method: 'PUT',
    body: JSON.stringify({ type: 'put', properties: { id } }),
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

function batch(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return service.fetch(`${managed()}/objectTypes/item/batches`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  })
}

async function asReader(scope: 'api:ontologies-read' | 'api:ontologies-write'): Promise<Response> {
  await grantTo(service.store, 'reader', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'reader', scopes: [scope] })
  return batch('{}', { authorization: `Bearer ${token}` })
}

async function withoutMostObjects(): Promise<Response> {
  return service.fetch(`${managed()}/objectTypes/item/objects?maxDeletions=0`, {
    method: 'PUT',
    body: '{"type":"put","properties":{"id":"other"}}',
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

async function withATakenName(): Promise<Response> {
  const { token } = await newTokenOf(service.store, { subject: 'stranger' })
  const { headers, ...request } = jsonBody({ apiName: 'promised', displayName: 'Mine' })
  return service.fetch('/manage/v1/ontologies/promised', {
    ...request,
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
}

function nested(levels: number): object {
  return levels === 1 ? { type: 'empty' } : { type: 'not', value: nested(levels - 1) }
}

async function nextTokenOf(response: Response): Promise<string> {
  const page: { readonly nextPageToken: string } = JSON.parse(await response.text())
  return page.nextPageToken
}

async function pastTheLimit(): Promise<Response> {
  let answer = await get(list)
  for (let page = 1; answer.ok; page += 1) {
    const nextPageToken = await nextTokenOf(answer)
    expect(page).toBeLessThanOrEqual(10)
    answer = await get(`${list}?pageToken=${nextPageToken}`)
  }
  return answer
}

async function sinceAnotherHistory(): Promise<Response> {
  const type = await service.store.catalog.objectType(service.ontology, 'item')
  const versions = new Map([[type?.id ?? 0, { version: '0', tag: 'ab'.repeat(8) }]])
  const since = sealerWith().sealSnapshot({ ontologyRid: service.ontology.rid, versions })
  return service.fetch(search.replace('/search', '/changes'), jsonBody({ fromSnapshotToken: since }))
}

async function afterTheSnapshotIsGone(): Promise<Response> {
  const query = { type: 'empty' }
  const first = await post(JSON.stringify({ query, snapshot: true, pageSize: 1 }))
  const nextPageToken = await nextTokenOf(first)
  const client = new Client(service.databaseUrl)
  await client.connect()
  // As after the next commit, once what was before it has been pruned.
  await client.query(`
with k as (update ${service.ontology.schema}.clock set floor = version + 1, version = version + 1 returning object_type, version, live, epoch, checksum)
insert into ${service.ontology.schema}.commits (object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, epoch, checksum)
select object_type, version, now() at time zone 'utc', md5(version::text), live, 0, 0, 0, 0, epoch, checksum from k`)
  await client.end()
  return post(JSON.stringify({ query, snapshot: true, pageSize: 1, pageToken: nextPageToken }))
}

async function whileTheTableIsLocked(): Promise<Response> {
  const client = new Client(service.databaseUrl)
  await client.connect()
  try {
    await client.query(`begin; lock table ${service.ontology.schema}.clock in access exclusive mode`)
    return await get(list)
  } finally {
    await client.end()
  }
}

/** The trigger runs before the statement that writes, or after it, when the transaction commits. */
async function whileATriggerRuns(
  when: 'before' | 'after',
  body: string,
  request: () => Promise<Response>,
): Promise<Response> {
  const client = new Client(service.databaseUrl)
  await client.connect()
  const table = `${service.ontology.schema}.commits`
  try {
    await client.query(
      `create function fail() returns trigger language plpgsql as 'begin ${body.replaceAll("'", "''")}; return new; end'`,
    )
    await client.query(
      when === 'before'
        ? `create trigger fail before insert on ${table} for each row execute function fail()`
        : `create constraint trigger fail after insert on ${table} deferrable initially deferred for each row execute function fail()`,
    )
    return await request()
  } finally {
    await client.query('drop function fail cascade')
    await client.end()
  }
}

async function pastTheRate(): Promise<Response> {
  const other = await startTestService({
    databaseUrl: service.databaseUrl,
    environment: { OCTAVO_RATE_LIMIT_PER_SECOND: '1', OCTAVO_RATE_LIMIT_BURST: '1' },
  })
  others.push(other)
  // Together: on a busy machine a second may pass between one answer and the next request.
  const answers = await Promise.all([other.fetch(list), other.fetch(list), other.fetch(list)])
  return answers.find(({ status }) => status === 429) ?? answers[0]
}

async function withoutADatabase(): Promise<Response> {
  const other = await startTestService({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    withoutAccess: true,
  })
  others.push(other)
  return other.fetch(list)
}

async function afterTheTimeOfABatch(): Promise<Response> {
  const other = await startTestService({
    databaseUrl: service.databaseUrl,
    environment: { OCTAVO_BATCH_TIMEOUT_SECONDS: '1' },
  })
  others.push(other)
  const line = new TextEncoder().encode('{"type":"delete","primaryKey":"a"}\n')
  const body = new ReadableStream<Uint8Array>({
    start: async (lines) => {
      lines.enqueue(line)
      await sleep(5_000)
      lines.enqueue(line)
      lines.close()
    },
  })
  const path = `/manage/v1/ontologies/${service.ontology.rid}/objectTypes/item/batches`
  const headers = { 'content-type': 'application/x-ndjson' }
  return other.fetch(path, { method: 'POST', body, duplex: 'half', headers })
}

/** A service takes a database with the extension of this name for a cluster. */
async function onACluster(): Promise<Response> {
  const client = new Client(service.databaseUrl)
  await client.connect()
  await client.query("update pg_extension set extname = 'citus' where extname = 'plpgsql'")
  try {
    const other = await startTestService({ databaseUrl: service.databaseUrl, withoutAccess: true })
    others.push(other)
    return await other.fetch(loads(), jsonBody({ objectTypes: ['item'] }))
  } finally {
    await client.query("update pg_extension set extname = 'plpgsql' where extname = 'citus'")
    await client.end()
  }
}

async function withABrokenDatabase(): Promise<Response> {
  const client = new Client(service.databaseUrl)
  await client.connect()
  // The lookup needs a service that has nothing cached yet.
  const other = await startTestService({ databaseUrl: service.databaseUrl })
  others.push(other)
  await client.query('alter table octavo.registry_version rename column version to away')
  try {
    return await other.fetch(list)
  } finally {
    await client.query('alter table octavo.registry_version rename column away to version')
    await client.end()
  }
}

it('every row of the table has a request here', () => {
  expect(Object.keys(cases).toSorted()).toEqual([...errorNames].toSorted())
})

const reached = errorNames.flatMap((name) => {
  const found = cases[name]
  const isThere = found?.operation !== 'loadObjectSetV2' || hasOfficialClients
  return found && isThere ? [{ name, ...found }] : []
})

describe.each(reached)('$name', ({ name, operation, request }) => {
  it('P103: is the answer to a request, with the parameters of its row, and the reference says so', async () => {
    const response = await request()
    const answer = { status: response.status, headers: response.headers, text: await response.text() }
    expect(refusalOf(answer)).toMatchObject({ errorName: name, status: errorTable[name].status })
    if (operation === 'none') return
    const { paths }: Document = JSON.parse(await describeService())
    const described = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .find(({ operationId }) => operationId === operation)
    expect(described?.responses[answer.status]?.description).toContain(`\`${name}\``)
  })
})

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

interface Described {
  readonly operationId: string
  readonly responses: Readonly<Record<number, { readonly description: string }>>
}
