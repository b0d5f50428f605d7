import { afterEach, expect, it } from 'vitest'
import { randomHex } from '../../guard/auth/random.ts'
import type { Observation } from '../../observe/observation.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { OutcomeUnknown } from '../../postgres/outcome-unknown.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { openAccessManagement } from '../../manage/open-access-management.ts'
import { auditTrail, type AuditPace } from './audit-trail.ts'
import { auditedChanges } from '../../write/audited-changes.ts'
import { pruneAudit } from './prune-audit.ts'
import { withStore } from '../../../test/support/with-store.ts'
import { databaseThat } from '../../../test/support/database-that.ts'

const { database, store } = withStore()
afterEach(() => store.database.run('delete from octavo.audit'))

const rows = () => store.database.rows({ text: 'select * from octavo.audit order by at, id', values: [] })

const rowsOf = ({ schema }: Ontology) =>
  store.database.rows({ text: `select * from ${schema}.audit order by at, id`, values: [] })

const detailsOf = (details: string | null | undefined) =>
  JSON.parse(details ?? 'null') as Readonly<Record<string, string>>

const read = (subject: string): Observation => ({
  kind: 'objects-read',
  requestId: 'r',
  subject,
  endpoint: 'listObjects',
  ontologyRid: 'ri.ontology.main.ontology.1',
  objectType: 'employee',
  objects: 2,
  bytes: 300,
  mode: 'snapshot',
  walkId: 'w1',
  endedBy: 'pageSize',
})

function trailWith(pace: Partial<AuditPace> = {}, now = () => new Date()) {
  const observations: Observation[] = []
  const trail = auditTrail(
    {
      database: store.database,
      now,
      newId: () => randomHex(16),
      observe: (observation) => observations.push(observation),
    },
    { everyMilliseconds: 20, mostWaiting: 10_000, ...pace },
  )
  return { ...trail, observations }
}

it('writes who read what in the background, column by column, and nothing of what is not audited', async () => {
  const { record, stop } = trailWith({}, () => new Date('2026-01-02T03:04:05.678Z'))
  record(read('ada'))
  record({ kind: 'service-stopped' })
  await expect.poll(rows).toEqual([
    {
      at: '2026-01-02 03:04:05.678',
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      subject: 'ada',
      action: 'listObjects',
      ontology_rid: 'ri.ontology.main.ontology.1',
      object_type: 'employee',
      details: null,
      walk_id: 'w1',
      mode: 'snapshot',
      ended_by: 'pageSize',
      objects: '2',
      bytes: '300',
    },
  ])
  await stop()
})

it('writes what is waiting when it is stopped, however much that is', async () => {
  const { record, stop, observations } = trailWith({ everyMilliseconds: 60_000 })
  for (let i = 0; i < 2_500; i += 1) record(read(`subject ${i}`))
  await stop()
  expect(await rows()).toHaveLength(2_500)
  expect(observations).toEqual([])
})

it('drops what does not fit while the database is slow, and says how much', async () => {
  const { record, stop, observations } = trailWith({ everyMilliseconds: 60_000, mostWaiting: 10 })
  for (let i = 0; i < 25; i += 1) record(read('ada'))
  await stop()
  expect(await rows()).toHaveLength(10)
  expect(observations).toEqual([{ kind: 'audit-records-dropped', dropped: 15 }])
})

it('keeps what could not be written, says so, and writes it once when the table is back', async () => {
  await store.database.run('alter table octavo.audit rename to away')
  const { record, stop, observations } = trailWith()
  record(read('ada'))
  await expect.poll(() => observations.map(({ kind }) => kind)).toContain('audit-not-written')
  await store.database.run('alter table octavo.away rename to audit')
  await expect.poll(rows).toHaveLength(1)
  await stop()
  expect(await rows()).toHaveLength(1)
})

it('a round whose answer is lost on the way is sent again, and is in the table once', async () => {
  const observations: Observation[] = []
  const { record, stop } = auditTrail(
    {
      database: {
        rows: async (query) => {
          const answer = await store.database.rows(query)
          if (observations.length === 0) throw new Error('the connection is lost')
          return answer
        },
      },
      now: () => new Date(),
      newId: () => randomHex(16),
      observe: (observation) => observations.push(observation),
    },
    { everyMilliseconds: 20, mostWaiting: 10 },
  )
  record(read('ada'))
  await expect.poll(() => observations).toHaveLength(1)
  await stop()
  expect(observations).toMatchObject([{ kind: 'audit-not-written', waiting: 1 }])
  expect(await rows()).toHaveLength(1)
})

it('says how much is lost when it is stopped without a database', async () => {
  await store.database.run('alter table octavo.audit rename to away')
  const { record, stop, observations } = trailWith({ everyMilliseconds: 60_000 })
  record(read('ada'))
  await stop()
  await store.database.run('alter table octavo.away rename to audit')
  expect(observations.at(-1)).toEqual({ kind: 'audit-records-dropped', dropped: 1 })
})

it('a subject that PostgreSQL cannot hold keeps nobody out', async () => {
  const { record, stop } = trailWith()
  for (const subject of ['nul \0', 'half \ud83d', 'x'.repeat(100_000)]) record(read(subject))
  await stop()
  expect((await rows()).map(({ subject }) => String(subject).slice(0, 10)).toSorted()).toEqual([
    'half \uFFFD',
    'nul \uFFFD',
    'xxxxxxxxxx',
  ])
})

it('neither does the name of what was changed', async () => {
  const { record, stop } = trailWith()
  for (const accessTokenId of ['nul \0', 'half \ud83d', '"quoted\\"']) {
    record({
      kind: 'change-unknown',
      subject: 'ada',
      action: 'revokeAccessToken',
      details: { accessTokenId },
    })
  }
  await stop()
  const written = (await rows()).map(({ details }) => detailsOf(details)['accessTokenId'] ?? '')
  expect(written.toSorted()).toEqual(['"quoted\\"', 'half \uFFFD', 'nul \uFFFD'])
})

it('deletes what is older than the retention, and nothing else', async () => {
  const now = new Date('2026-06-01T00:00:00Z')
  for (const day of ['2026-03-02T23:59:59Z', '2026-03-03T00:00:00Z', '2026-05-31T00:00:00Z']) {
    const { record, stop } = trailWith({}, () => new Date(day))
    for (let i = 0; i < 3; i += 1) record(read('ada'))
    await stop()
  }
  expect(await pruneAudit(store.database, 'octavo', { now, keptDays: 90 })).toBe(3)
  expect((await rows()).map(({ at }) => at)).not.toContain('2026-03-02 23:59:59')
  expect(await rows()).toHaveLength(6)
  expect(await pruneAudit(store.database, 'octavo', { now, keptDays: 90 })).toBe(0)
})

it('says who changed what, by ids, and never what is in it', async () => {
  const observations: Observation[] = []
  const observe = (observation: Observation) => observations.push(observation)
  const changes = auditedChanges({ store, observe, audits: true }, 'ada')
  const ontology = await changes.applyOntology({ apiName: 'audited', displayName: 'Hush' })
  const type = await changes.applyObjectType(ontology, employeeDefinition)
  const put = putObject(type, { employeeId: 'hush-1', badge: '7', fullName: 'Hush Hush' })
  const receipt = await changes.commit(ontology, { parts: [{ type, changes: [put] }] })
  await changes.stage(ontology, { chunks: [{ type, changes: [{ kind: 'delete', key: 'hush-1' }] }] })

  expect(await rows()).toMatchObject([
    { subject: 'ada', action: 'applyOntology', ontology_rid: ontology.rid, details: null },
  ])
  const own = await rowsOf(ontology)
  expect(
    own.map(({ subject, action, object_type, details, objects }) => [
      subject,
      action,
      object_type,
      detailsOf(details),
      objects,
    ]),
  ).toEqual([
    ['ada', 'applyObjectType', 'employee', { revision: 1 }, null],
    ['ada', 'commit', 'employee', { version: receipt.version }, '1'],
    ['ada', 'commit', 'employee', { version: String(BigInt(receipt.version) + 1n) }, '1'],
  ])
  expect(observations.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => 'change-made'))
  expect(JSON.stringify([await rows(), own, observations]).toLowerCase()).not.toContain('hush')

  // A change without an effect is not recorded.
  await changes.applyObjectType(ontology, employeeDefinition)
  const idempotency = { key: 'k', digest: 'd' }
  const again = { parts: [{ type, changes: [put] }], idempotency }
  await changes.commit(ontology, again)
  expect(await changes.commit(ontology, again)).toMatchObject({ replayed: true })
  expect(await rowsOf(ontology)).toHaveLength(own.length + 1)

  // Each type of a commit has a row, with the version that the types share.
  const other = await changes.applyObjectType(ontology, { ...employeeDefinition, apiName: 'manager' })
  const both = await changes.commit(ontology, {
    parts: [type, other].map((each) => ({ type: each, changes: [put] })),
  })
  const last = (await rowsOf(ontology)).slice(-2)
  expect(
    new Set(last.map(({ object_type, details }) => `${object_type} ${detailsOf(details)['version']}`)),
  ).toEqual(new Set([`employee ${both.version}`, `manager ${both.version}`]))
  expect(
    await pruneAudit(store.database, ontology.schema, {
      now: new Date(Date.now() + 86_400_000),
      keptDays: 2,
    }),
  ).toBe(0)
  expect(
    await pruneAudit(store.database, ontology.schema, {
      now: new Date(Date.now() + 259_200_000),
      keptDays: 2,
    }),
  ).toBe(own.length + 4)

  const silent = auditedChanges({ store, observe, audits: false }, 'ada')
  await silent.commit(ontology, { parts: [{ type, changes: [put] }] })
  await silent.applyOntology({ apiName: 'audited', displayName: 'Quiet' })
  expect([await rowsOf(ontology), await rows()]).toMatchObject([[], [{ action: 'applyOntology' }]])
})

it('a command of an operator leaves what it changed, and no token', async () => {
  const { rid } = await store.applyOntology({ apiName: 'operated', displayName: 'Operated' })
  const access = openAccessManagement(database.url)
  const { accessToken: token, accessTokenId: id } = await access.createToken({
    subject: 'ada',
    scopes: ['api:ontologies-read'],
  })
  await access.revokeToken(id)
  const principal = { type: 'subject', name: 'ada' } as const
  await access.addGrant(rid, { principal, role: 'reader' })
  expect(await access.removeGrant(rid, principal)).toBe(true)
  expect(await access.removeGrant(rid, principal)).toBe(false)
  await access.close()
  const written = await rows()
  expect(
    written.map(({ action, ontology_rid, details }) => [action, ontology_rid, detailsOf(details)]),
  ).toEqual([
    ['createAccessToken', null, { accessTokenId: id }],
    ['revokeAccessToken', null, { accessTokenId: id }],
    ['putGrant', rid, { role: 'reader', principal }],
    ['removeGrant', rid, { principal }],
  ])
  expect(written.every(({ subject }) => subject === 'operator')).toBe(true)
  expect(token).toMatch(/^oct_/)
  expect(JSON.stringify(written)).not.toContain(token)
})

it('a change that failed is not one that was made', async () => {
  const observations: Observation[] = []
  const observe = (observation: Observation) => observations.push(observation)
  const changes = auditedChanges({ store, observe, audits: true }, 'ada')
  const ontology = await store.applyOntology({ apiName: 'failing', displayName: 'Failing' })
  const broken = { ...employeeDefinition, primaryKey: 'nothing' }
  await expect(changes.applyObjectType(ontology, broken)).rejects.toThrow()
  expect(observations).toEqual([])
  expect([await rows(), await rowsOf(ontology)]).toEqual([[], []])
})

it('P171: a change whose outcome is unknown is recorded as such in the audit', async () => {
  const { record, stop } = trailWith()
  const ontology = await store.applyOntology({ apiName: 'unknown', displayName: 'Unknown' })
  const type = await store.applyObjectType(ontology, employeeDefinition)
  const lost = async () => {
    throw new OutcomeUnknown(new Error('lost'))
  }
  const changes = auditedChanges(
    {
      store: { ...store, queue: lost, database: databaseThat(store.database, { transaction: lost }) },
      observe: record,
      audits: true,
    },
    'ada',
  )
  await expect(changes.commit(ontology, { parts: [{ type, changes: [] }] })).rejects.toThrow(OutcomeUnknown)
  await expect(changes.stage(ontology, { chunks: [], replaces: type })).rejects.toThrow(OutcomeUnknown)
  await stop()
  const unknown = {
    subject: 'ada',
    action: 'commit',
    object_type: 'employee',
    ended_by: 'outcomeUnknown',
    details: null,
  }
  expect(await rows()).toMatchObject([unknown, unknown])
})
