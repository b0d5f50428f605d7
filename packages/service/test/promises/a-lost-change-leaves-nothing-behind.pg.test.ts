// After a failover that lost a change, or after a restore, the next change gets the number of the lost one. Here both
// instances have seen the lost history, and the database is restored under them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import { removeGrant } from '../../src/manage/grants.ts'
import { collectionOf } from '../support/load-items.ts'
import { listing, searching } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { defineType } from '../support/define-type.ts'

const definition = (more: Partial<ObjectTypeDefinition> = {}) =>
  defineType('doc', { id: 'string', owner: 'string searchable' }, more)

const database = forEachTest(freshDatabase)
const a = forEachTest(() => startTestService({ databaseUrl: database.url }))
const b = forEachTest(() => startTestService({ databaseUrl: database.url }))
const ontology = forEachTest(() =>
  b.store.applyOntology({ apiName: 'one', displayName: 'One', apiFamilies: ['one'] }),
)
let bob: string
beforeEach(async () => {
  const type = await b.store.applyObjectType(ontology, definition())
  const changes = ['alice', 'alice', 'bob'].map((owner, i) => putObject(type, { id: `d${i}`, owner }))
  await b.store.commit({ parts: [{ type, changes }] })
  await grantTo(b.store, 'bob', ontology.rid, 'reader')
  await grantTo(b.store, 'carol', ontology.rid, 'reader')
  ;({ token: bob } = await newTokenOf(b.store, { subject: 'bob' }))
})

const run = (text: string) => b.store.database.run(text)

/** Does to the rows of these tables what a restore does. */
async function lose(tables: readonly string[], changes: () => Promise<void>): Promise<void> {
  for (const table of tables) await run(`create table saved_${table.replace('.', '_')} as table ${table}`)
  await changes()
  for (const table of tables) {
    await run(`delete from ${table}`)
    await run(`insert into ${table} select * from saved_${table.replace('.', '_')}`)
  }
}

const seenBy = async (token: string, revision: typeof listing) => {
  const as = {
    fetch: (path: string, init: Parameters<TestService['fetch']>[1] = {}) =>
      a.fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  }
  const collection = collectionOf(ontology, { apiName: 'doc' } as Parameters<typeof collectionOf>[1])
  const { status, text } = await askForPage(as, revision, collection)
  if (status !== 200) return status
  const { data } = JSON.parse(text) as { data: readonly { properties: { id: string } }[] }
  return data.map(({ properties }) => properties.id)
}

it('P205: a definition with the revision of one that was lost is not taken for it', async () => {
  const { schema } = ontology
  const tables = ['catalog_version', 'object_types', 'clock'].map((table) => `${schema}.${table}`)
  await lose(tables, async () => {
    await b.store.applyObjectType(ontology, definition({ description: 'lost' }))
    expect(await seenBy(bob, searching)).toEqual(['d0', 'd1', 'd2'])
  })
  const policy = { type: 'eq', field: 'owner', value: { claim: 'sub' } } as const
  const { revision } = await b.store.applyObjectType(ontology, definition({ policy }))
  expect(revision).toBe(2)
  expect(await seenBy(bob, searching)).toEqual(['d2'])
  expect(await seenBy(bob, listing)).toEqual(['d2'])
  const one = await a.fetch(`/api/v1/ontologies/${ontology.rid}/objects/doc/d0`, {
    headers: { authorization: `Bearer ${bob}` },
  })
  expect(one.status).toBe(404)
})

it('P205: a grant that was removed under the number of a lost change is gone', async () => {
  const carol = { type: 'subject', name: 'carol' } as const
  await lose(['octavo.grants', 'octavo.access_version'], async () => {
    await removeGrant(b.store.database, ontology.rid, carol)
    await sleep(600)
    expect(await seenBy(bob, listing)).toEqual(['d0', 'd1', 'd2'])
  })
  await removeGrant(b.store.database, ontology.rid, { type: 'subject', name: 'bob' })
  // P121: revoked access ends within half a second.
  await sleep(600)
  expect(await seenBy(bob, listing)).toBe(404)
})

it('P205: an ontology that was changed under the number of a lost change is read again', async () => {
  const families = ['octavo.api_families', 'octavo.registry_version']
  await lose(families, async () => {
    await b.store.applyOntology({ apiName: 'one', displayName: 'Lost', apiFamilies: ['one', 'lost'] })
    await sleep(1_100)
    expect((await a.fetch('/api/lost/v1/objects/types')).status).toBe(200)
  })
  await b.store.applyOntology({ apiName: 'one', displayName: 'One', apiFamilies: ['one', 'kept'] })
  await sleep(1_100)
  expect((await a.fetch('/api/lost/v1/objects/types')).status).toBe(404)
  expect((await a.fetch('/api/kept/v1/objects/types')).status).toBe(200)
})
