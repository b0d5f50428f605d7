import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangesPage } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { revokeAccessToken } from '../../src/manage/access-tokens.ts'
import { removeGrant } from '../../src/manage/grants.ts'
import { askForChanges, readState } from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemId, loadItems } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

type Asked = Pick<TestService, 'fetch'>

const tokenNow = async (objectType: string) =>
  (await readState(service, { objectType, asks: {} })).snapshotToken

async function wait(objectType: string, asks: object, asked: Asked = service) {
  const began = performance.now()
  const answer = await askForChanges(asked, { objectType, asks: { waitSeconds: 20, ...asks } })
  return { answer, afterMs: performance.now() - began }
}

const pageIn = ({ answer }: Awaited<ReturnType<typeof wait>>) => JSON.parse(answer.text) as ChangesPage

it('P276: the answer comes with the next change', async () => {
  await loadItems(service.store, service.ontology, 3, 'watched')
  await loadItems(service.store, service.ontology, 3, 'other')
  const since = await tokenNow('watched')
  const waiting = wait('watched', { fromSnapshotToken: since })
  await sleep(500)
  await manage.commit([put({ id: itemId(1), rank: 9 })], { objectType: 'other' })
  await sleep(500)
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'watched' })
  const answered = await waiting
  expect(answered.afterMs).toBeGreaterThan(950)
  expect(answered.afterMs).toBeLessThan(5_000)
  expect(pageIn(answered).data).toMatchObject([
    { type: 'put', primaryKey: itemId(1), object: { properties: { rank: 7 } } },
  ])
})

it('P276: what has changed already is not waited for', async () => {
  await loadItems(service.store, service.ontology, 3, 'changed')
  const since = await tokenNow('changed')
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'changed' })
  const answered = await wait('changed', { fromSnapshotToken: since })
  expect(answered.afterMs).toBeLessThan(5_000)
  expect(pageIn(answered).data).toHaveLength(1)
})

it('P276: when the time is up, the answer has the same shape and the same state', async () => {
  await loadItems(service.store, service.ontology, 3, 'quiet')
  const since = await tokenNow('quiet')
  const answered = await wait('quiet', { fromSnapshotToken: since, waitSeconds: 1 })
  expect(answered.afterMs).toBeGreaterThan(950)
  const page = pageIn(answered)
  expect(page).toMatchObject({ data: [], fromVersion: page.toVersion, totalCount: '3' })
  const again = await askForChanges(service, {
    objectType: 'quiet',
    asks: { fromSnapshotToken: page.snapshotToken },
  })
  expect(JSON.parse(again.text)).toMatchObject({ data: [], toVersion: page.toVersion })
})

it('P276: changes committed before the request are returned at once, although another has just read that there is nothing', async () => {
  await loadItems(service.store, service.ontology, 3, 'lately')
  const since = await tokenNow('lately')
  const before = wait('lately', { fromSnapshotToken: since })
  await sleep(100)
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'lately' })
  const after = await wait('lately', { fromSnapshotToken: since })
  expect(after.afterMs).toBeLessThan(3_000)
  for (const answered of [after, await before]) expect(pageIn(answered).data).toHaveLength(1)
})

it('P276: another state with the same version, after a restore, ends the wait', async () => {
  const { type } = await loadItems(service.store, service.ontology, 3, 'restored')
  const since = await tokenNow('restored')
  const waiting = wait('restored', { fromSnapshotToken: since })
  await sleep(500)
  await service.store.database.rows({
    text: `update ${type.tables.commits} set tag = left(md5(tag), 16) where object_type = $1`,
    values: [type.id],
  })
  const answered = await waiting
  expect(answered.afterMs).toBeLessThan(5_000)
  expect(refusalOf(answered.answer)).toMatchObject(errorNamed('ChangesExpired', { reason: 'historyChanged' }))
})

it('P277: that nothing has changed is read once for many who ask, and so are the changes; all are audited', async () => {
  await loadItems(service.store, service.ontology, 3, 'followed')
  const since = await tokenNow('followed')
  const ask = (waitSeconds: number) =>
    Array.from({ length: 40 }, () => wait('followed', { fromSnapshotToken: since, waitSeconds }))
  const readsOf = (objects: number) =>
    service.observations.flatMap((seen) =>
      seen.kind === 'objects-read' && seen.objectType === 'followed' && seen.endpoint === 'readChanges'
        ? seen.objects === objects
          ? [seen.walkId]
          : []
        : [],
    )
  for (const answered of await Promise.all(ask(1)))
    expect(pageIn(answered)).toMatchObject({ data: [], totalCount: '3' })
  expect(readsOf(0)).toHaveLength(40)
  expect(new Set(readsOf(0)).size).toBeLessThan(10)
  const waiting = ask(20)
  await sleep(500)
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'followed' })
  for (const answered of await Promise.all(waiting)) expect(pageIn(answered).data).toHaveLength(1)
  expect(readsOf(1)).toHaveLength(40)
  expect(new Set(readsOf(1)).size).toBeLessThan(10)
})

it('P276: it is a whole number of seconds up to 30', async () => {
  const since = await tokenNow('quiet')
  for (const waitSeconds of [31, -1, 0.5, '1']) {
    const { answer } = await wait('quiet', { fromSnapshotToken: since, waitSeconds })
    expect(refusalOf(answer)).toMatchObject({ status: 422, parameters: { path: '/waitSeconds' } })
  }
})

it('P277: many wait and hold nothing: pages are served meanwhile, and one change ends all of them', async () => {
  await loadItems(service.store, service.ontology, 3, 'crowded')
  const since = await tokenNow('crowded')
  const waiting = Array.from({ length: 60 }, () => wait('crowded', { fromSnapshotToken: since }))
  await sleep(1_000)
  expect(await tokenNow('crowded')).not.toBe('')
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'crowded' })
  const answers = await Promise.all(waiting)
  expect(answers.map(({ answer }) => answer.status)).toEqual(answers.map(() => 200))
  for (const answered of answers) {
    expect(pageIn(answered).data).toHaveLength(1)
    expect(answered.afterMs).toBeLessThan(8_000)
  }
})

it('P277: who leaves while the changes are read takes nothing away from those who waited as well', async () => {
  const { type } = await loadItems(service.store, service.ontology, 3, 'left')
  // The requests are woken by the next poll; the table must be locked before that, which is not always in time.
  for (let rank = 1; ; rank += 1) {
    const since = await tokenNow('left')
    const leaving = new AbortController()
    const leaver: Asked = { fetch: (path, init) => service.fetch(path, { ...init, signal: leaving.signal }) }
    const left = wait('left', { fromSnapshotToken: since }, leaver).catch(() => 'left')
    await sleep(300)
    const others = [wait('left', { fromSnapshotToken: since }), wait('left', { fromSnapshotToken: since })]
    await sleep(300)
    await manage.commit([put({ id: itemId(1), rank })], { objectType: 'left' })
    const isRead = await whileLocked(type.tables.current, async (isAskedFor) => {
      if (!(await isAskedFor())) return false
      leaving.abort()
      await sleep(300)
      return true
    })
    const answers = await Promise.all(others)
    await left
    expect(answers.map(({ answer }) => [answer.status, answer.text.includes(itemId(1))])).toEqual([
      [200, true],
      [200, true],
    ])
    if (isRead) return
    expect(rank).toBeLessThan(20)
  }
})

/** Locks a table; `isAskedFor` says whether somebody wants to read it within a second. */
async function whileLocked<T>(
  table: string,
  work: (isAskedFor: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { database } = service.store
  return database.transaction(async (transaction) => {
    await transaction.run(`lock table ${table} in access exclusive mode`)
    return work(async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        const text = 'select 1 from pg_locks where not granted and relation = $1::regclass'
        if ((await database.rows({ text, values: [table] })).length > 0) return true
        await sleep(50)
      }
      return false
    })
  })
}

it('P277: a page that does not hold all changes has a page token for each who waited', async () => {
  await loadItems(service.store, service.ontology, 3, 'paged')
  const since = await tokenNow('paged')
  const as = async (subject: string): Promise<Asked> => {
    await grantTo(service.store, subject, service.ontology.rid, 'reader')
    const { token } = await newTokenOf(service.store, { subject })
    return { fetch: withToken(token) }
  }
  const callers = await Promise.all(['ada', 'grace'].map(as))
  const waiting = callers.map((caller) => wait('paged', { fromSnapshotToken: since, pageSize: 1 }, caller))
  await sleep(500)
  await manage.commit([put({ id: itemId(0), rank: 7 }), put({ id: itemId(1), rank: 7 })], {
    objectType: 'paged',
  })
  for (const [i, answered] of (await Promise.all(waiting)).entries()) {
    const { nextPageToken: pageToken } = pageIn(answered)
    const next = await askForChanges(callers[i] ?? service, {
      objectType: 'paged',
      asks: { fromSnapshotToken: since, pageSize: 1, pageToken },
    })
    expect(next.status).toBe(200)
  }
})

const withToken =
  (token: string): Asked['fetch'] =>
  (path, init = {}) =>
    service.fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })

it.for(['token', 'grant'] as const)(
  'P277: a caller that loses its %s is refused within two seconds, others keep waiting',
  async (lost) => {
    const objectType = `lost-${lost}`
    await loadItems(service.store, service.ontology, 3, objectType)
    const since = await tokenNow(objectType)
    const subject = `leaver-${lost}`
    await grantTo(service.store, subject, service.ontology.rid, 'reader')
    const { id, token } = await newTokenOf(service.store, { subject })
    const refused = wait(objectType, { fromSnapshotToken: since }, { fetch: withToken(token) })
    const others = wait(objectType, { fromSnapshotToken: since, waitSeconds: 5 })
    await sleep(700)
    const began = performance.now()
    await (lost === 'token'
      ? revokeAccessToken(service.store.database, id, new Date())
      : removeGrant(service.store.database, service.ontology.rid, { type: 'subject', name: subject }))
    const { errorName } = refusalOf((await refused).answer)
    expect(errorName).toBe(lost === 'token' ? 'Default:Unauthorized' : 'ApiFamilyNotFound')
    expect(performance.now() - began).toBeLessThan(2_000)
    expect((await others).afterMs).toBeGreaterThan(4_900)
    expect((await others).answer.status).toBe(200)
  },
)

it('P277: it ends at once when the instance stops', async () => {
  await loadItems(service.store, service.ontology, 3, 'stopping')
  const since = await tokenNow('stopping')
  const other = await startTestService({ databaseUrl: service.databaseUrl })
  const waiting = wait('stopping', { fromSnapshotToken: since }, other)
  await sleep(700)
  await other.close()
  const answered = await waiting
  expect(answered.afterMs).toBeLessThan(3_000)
  expect(pageIn(answered).data).toEqual([])
})
