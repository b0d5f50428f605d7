// An ontology that is not granted and one that does not exist are indistinguishable: both the answer and the statements sent
// to the database are the same.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { streamTurns } from '../../src/guard/admit/stream-turns.ts'
import { openAccess } from '../../src/guard/auth/access.ts'
import { callerAuthentication } from '../../src/guard/auth/authenticate-caller.ts'
import { randomHex, randomUuid } from '../../src/guard/auth/random.ts'
import { findOntology } from '../../src/catalog/find-object-type.ts'
import { openCatalog } from '../../src/catalog/open-catalog.ts'
import { httpServerOf } from '../support/http-server-of.ts'
import { serviceRoutes } from '../../src/http/routes/service-routes.ts'
import { accessSource } from '../../src/manage/access-source.ts'
import type { ManageService } from '../../src/manage/manage-service.ts'
import type { Database } from '../../src/postgres/database.ts'
import type { PageService } from '../../src/read/walk/page-service.ts'
import { loadItems } from '../support/load-items.ts'
import { sealerWith } from '../support/reseal-token.ts'
import { testAdmission } from '../support/test-admission.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { databaseThat } from '../support/database-that.ts'
import { withStore } from '../support/with-store.ts'
import { rowSourcesOf } from '../../src/read/rows/state/row-sources.ts'
import { errorNamed } from '../support/named-errors.ts'

const { store, ontology } = withStore()
const seen = forAllTests(() =>
  store.applyOntology({ apiName: 'seen', displayName: 'Seen', apiFamilies: ['seen'] }),
)
let rid = ''
let token = ''

beforeAll(async () => {
  await loadItems(store, ontology, 3, 'item')
  await grantTo(store, 'reader', seen.rid, 'reader')
  rid = ontology.rid
  token = (await newTokenOf(store, { subject: 'reader' })).token
})

/** Records every statement sent to the database. */
function watched(statements: string[]): Database {
  const note = (text: string) => statements.push(text.replaceAll(/\s+/g, ' '))
  return databaseThat(store.database, {
    rows: (query) => {
      note(query.text)
      return store.database.rows(query)
    },
    eachRow: (query, takeRow, signal) => {
      note(query.text)
      return store.database.eachRow(query, takeRow, signal)
    },
    bytes: (query, signal) => {
      note(query.text)
      return store.database.bytes(query, signal)
    },
    transaction: () => Promise.reject(new Error('A reader began a transaction.')),
  })
}

/** A service that has just started, so its caches are empty. */
function startUp(statements: string[]) {
  const watching = watched(statements)
  const clocks = { now: () => new Date(), elapsed: () => performance.now() }
  const access = openAccess({ source: accessSource(watching), ...clocks })
  const touched = (part: string) => () => {
    statements.push(part)
    return Promise.reject(new Error(`${part} was asked.`))
  }
  const pages: PageService = {
    access,
    store: {
      ...rowSourcesOf(watching),
      catalog: openCatalog({ database: watching, elapsed: clocks.elapsed }),
    },
    sealer: sealerWith(),
    admission: testAdmission(),
    retentionSeconds: 3_600,
    aggregateObjects: 100_000,
    streams: streamTurns(2, () => performance.now()),
    watch: { wait: touched('wait'), waiting: () => 0, lately: () => ({ once: touched('once') }) },
    sources: { wait: touched('wait'), waiting: () => 0, orderOf: touched('order'), forget: () => {} },
    requestTimeoutMs: 60_000,
    now: clocks.now,
    newWalkId: () => randomHex(16),
    observe: () => {},
  }
  const manage: ManageService = {
    audits: true,
    batchTime: { maximumSeconds: 3_600, elapsed: clocks.elapsed },
    elapsed: clocks.elapsed,
    ...pages,
    store: {
      database: watching,
      catalog: pages.store.catalog,
      queue: touched('queue'),
      newTag: () => randomHex(16),
      batchSeconds: 3_600,
      now: clocks.now,
      randomHex,
      randomUuid,
      exclusively: Object.assign(touched('exclusively'), { ifFree: touched('ifFree') }),
      loads: {
        requireSupport: () => {},
        typeOf: touched('typeOf'),
        list: touched('list'),
        begin: touched('begin'),
        describe: touched('describe'),
        requireOpen: touched('requireOpen'),
        storedPart: touched('storedPart'),
        addPart: touched('addPart'),
        finish: touched('finish'),
        giveUp: touched('giveUp'),
      },
    },
    database: watching,
    randomUuid,
  }
  return httpServerOf({
    authenticate: callerAuthentication({ access, verifyJwt: undefined, now: clocks.now }),
    routes: serviceRoutes({ pages, manage, checkReadiness: async () => [], wings: [] }),
  })
}

const calls = [
  ['GET', '/api/v1/ontologies/{rid}'],
  ['GET', '/api/v1/ontologies/{rid}/objectTypes'],
  ['GET', '/api/v1/ontologies/{rid}/objectTypes/item'],
  ['GET', '/api/v1/ontologies/{rid}/objects/item'],
  ['GET', '/api/v1/ontologies/{rid}/objects/item?orderBy=p.nothing'],
  ['GET', '/api/v1/ontologies/{rid}/objects/item/i000001'],
  ['GET', '/api/{family}/v1/objects/types'],
  ['GET', '/api/{family}/v1/objects/types/item'],
  ['POST', '/api/{family}/v1/objects/types/item/search'],
  ['GET', '/manage/v1/ontologies/{rid}'],
  ['GET', '/manage/v1/ontologies/{rid}/objectTypes'],
  ['GET', '/manage/v1/ontologies/{rid}/objectTypes/item'],
  ['POST', '/manage/v1/ontologies/{rid}/objectTypes/item/batches'],
  ['POST', '/manage/v1/ontologies/{rid}/batches'],
  ['PUT', '/manage/v1/ontologies/{rid}/objectTypes/item/objects'],
  ['GET', '/manage/v1/ontologies/{rid}/grants'],
  ['GET', '/manage/v1/ontologies/{rid}/grants/subjects/anna'],
  ['PUT', '/manage/v1/ontologies/{rid}/grants/groups/staff'],
  ['DELETE', '/manage/v1/ontologies/{rid}/grants/subjects/anna'],
] as const

it.for(calls)('P120: %s %s says and costs the same', async ([method, path]) => {
  const answers: unknown[] = []
  for (const [ontologyRid, family] of [
    [rid, 'promised'],
    ['ri.ontology.main.ontology.00000000-0000-4000-8000-000000000000', 'absent'],
  ] as const) {
    const statements: string[] = []
    const app = startUp(statements)
    const hasBody = method === 'POST' || method === 'PUT'
    const request = {
      method,
      url: path.replace('{rid}', ontologyRid).replace('{family}', family),
      headers: {
        authorization: `Bearer ${token}`,
        ...(hasBody && {
          'content-type': `application/${/batches|\/objects$/.test(path) ? 'x-nd' : ''}json`,
        }),
      },
      ...(hasBody && { payload: '{ "query": { "type": "empty" } }' }),
    }
    // The first with empty caches, the second with what the first one cached.
    for (const time of ['first', 'again']) {
      const { statusCode, body } = await app.inject(request)
      const text = body.replaceAll(ontologyRid, '{rid}').replaceAll(family, '{family}')
      answers.push({
        time,
        statusCode,
        body: text.replace(/"errorInstanceId":"[0-9a-f-]{36}"/, ''),
        statements: statements.splice(0),
      })
    }
    await app.close()
  }
  const [hidden, hiddenAgain, absent, absentAgain] = answers
  expect(hidden).toMatchObject({ statusCode: 404, statements: { length: 6 } })
  expect(absent).toEqual(hidden)
  expect(absentAgain).toEqual(hiddenAgain)
  // Both versions are checked again before the service answers that nothing is there.
  expect(hiddenAgain).toMatchObject({
    statements: [expect.stringContaining('access_version'), expect.stringContaining('registry_version')],
  })
})

it('P119: each role includes the ones before it, and too small a one is refused by name', async () => {
  const roles = ['reader', 'writer', 'owner'] as const
  const access = openAccess({ source: accessSource(store.database), elapsed: () => performance.now() })
  for (const [had, role] of roles.entries()) {
    const caller = { subject: `a-${role}`, groups: [], rights: new Set<never>(), claims: {} }
    await grantTo(store, caller.subject, rid, role)
    for (const [wanted, requiredRole] of roles.entries()) {
      const find = async () =>
        findOntology({ store, access }, caller, { kind: 'ontology', ontology: rid }, requiredRole)
      if (had >= wanted) expect(await find()).toMatchObject({ rid })
      else {
        await expect(find()).rejects.toMatchObject(errorNamed('Default:PermissionDenied', { requiredRole }))
      }
    }
  }
})
