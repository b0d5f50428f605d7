import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashOfToken } from '../guard/auth/access-token.ts'
import { openAccessManagement, type AccessManagement } from './open-access-management.ts'
import { withStore } from '../../test/support/with-store.ts'

const { database, store } = withStore()
let access: AccessManagement
let rid = ''

beforeAll(async () => {
  rid = (await store.applyOntology({ apiName: 'library', displayName: 'Library' })).rid
  access = openAccessManagement(database.url, () => new Date('2026-02-03T04:05:06Z'))
})

afterAll(() => access.close())

const rowsOf = (text: string) => store.database.rows({ text, values: [] })

it('makes a token, shows it once and keeps its hash only', async () => {
  const made = await access.createToken({
    subject: 'nightly-import',
    groups: ['staff', 'robots'],
    scopes: ['api:ontologies-read', 'api:ontologies-write'],
    expiresAt: '2026-03-05T04:05:06.000Z',
    description: 'loads',
  })
  expect(made.accessToken).toMatch(/^oct_[A-Za-z0-9_-]{43}$/)

  const rows = await rowsOf('select * from octavo.access_tokens')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ hash: hashOfToken(made.accessToken) })
  expect(JSON.stringify(rows)).not.toContain(made.accessToken.slice(4))

  const { accessToken: _, ...record } = made
  expect(await access.listTokens()).toEqual([record])
  expect(record).toMatchObject({
    subject: 'nightly-import',
    groups: ['staff', 'robots'],
    scopes: ['api:ontologies-read', 'api:ontologies-write'],
    createdAt: '2026-02-03T04:05:06Z',
    expiresAt: '2026-03-05T04:05:06Z',
    description: 'loads',
  })
  expect(await access.revokeToken(made.accessTokenId)).toMatchObject({ revokedAt: '2026-02-03T04:05:06Z' })
  expect(await access.listTokens()).toMatchObject([{ revokedAt: '2026-02-03T04:05:06Z' }])
  expect(await access.revokeToken('nobody')).toBeUndefined()
})

it('grants a role, changes it, and takes it away', async () => {
  const staff = { type: 'group', name: 'staff' } as const
  const ada = { type: 'subject', name: 'ada' } as const
  await access.addGrant(rid, { principal: staff, role: 'reader' })
  await access.addGrant(rid, { principal: staff, role: 'writer' })
  await access.addGrant(rid, { principal: ada, role: 'owner' })
  const shown = { ontologyRid: rid, ontology: 'library' }
  expect(await access.listGrants()).toEqual([
    { ...shown, principalType: 'group', principalName: 'staff', role: 'writer' },
    { ...shown, principalType: 'subject', principalName: 'ada', role: 'owner' },
  ])
  expect(await access.removeGrant(rid, staff)).toBe(true)
  expect(await access.removeGrant(rid, staff)).toBe(false)
  expect(await access.listGrants()).toHaveLength(1)
})

it('finds an ontology by its rid or its API name', async () => {
  expect(await access.findOntologyRid('library')).toBe(rid)
  expect(await access.findOntologyRid(rid)).toBe(rid)
  expect(await access.findOntologyRid('nothing')).toBeUndefined()
})

it('writes every change into the audit, as made by the operator', async () => {
  const rows = await rowsOf('select subject, action from octavo.audit order by at, id')
  expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(['operator']))
  expect(rows.map(({ action }) => String(action)).toSorted()).toEqual([
    'createAccessToken',
    'putGrant',
    'putGrant',
    'putGrant',
    'removeGrant',
    'revokeAccessToken',
  ])
})
