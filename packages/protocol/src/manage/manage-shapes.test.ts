import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

import {
  accessTokenRecordSchema,
  accessTokenRequestSchema,
  batchLineSchema,
  commitReceiptSchema,
  createdAccessTokenSchema,
  grantRecordSchema,
  grantRequestSchema,
} from '../index.ts'

const isLine = (value: unknown): boolean => Value.Check(batchLineSchema, value)

it('a batch line is a put of properties or a delete by primary key', () => {
  expect(isLine({ type: 'put', properties: { id: 1, name: [{ first: 'Ada' }], left: null } })).toBe(true)
  expect(isLine({ type: 'delete', primaryKey: '1', objectType: 'employee' })).toBe(true)
  expect(isLine({ type: 'put' })).toBe(false)
  expect(isLine({ type: 'put', properties: { id: [[1]] } })).toBe(false)
  expect(isLine({ type: 'put', properties: { tags: ['a', null] } })).toBe(false)
  expect(isLine({ type: 'delete', primaryKey: null })).toBe(false)
  expect(isLine({ type: 'delete', primaryKey: 1, properties: {} })).toBe(false)
  expect(isLine({ type: 'patch', properties: {} })).toBe(false)
})

const facts = {
  version: '17',
  committedAt: '2026-01-02T03:04:05.25Z',
  created: 1,
  updated: 1,
  deleted: 1,
  unchanged: 0,
}

it('a receipt has the version as a string, the time and the counts', () => {
  expect(Value.Check(commitReceiptSchema, { ...facts, replayed: false })).toBe(true)
  expect(Value.Check(commitReceiptSchema, facts)).toBe(false)
  expect(Value.Check(commitReceiptSchema, { ...facts, replayed: false, version: 17 })).toBe(false)
  expect(Value.Check(commitReceiptSchema, { ...facts, replayed: false, created: -1 })).toBe(false)
  const written = ['2026-01-02 03:04:05Z', '2026-01-02T03:04:05', '2026-01-02T03:04:05.250Z'].filter(
    (committedAt) => Value.Check(commitReceiptSchema, { ...facts, replayed: false, committedAt }),
  )
  expect(written).toEqual([])
})

it('an access token is asked for with a subject and known scopes, and shown once', () => {
  const request = { subject: 'loader', scopes: ['api:ontologies-write'] }
  expect(Value.Check(accessTokenRequestSchema, request)).toBe(true)
  expect(Value.Check(accessTokenRequestSchema, { ...request, scopes: [] })).toBe(false)
  expect(Value.Check(accessTokenRequestSchema, { ...request, scopes: ['api:everything'] })).toBe(false)
  expect(Value.Check(accessTokenRequestSchema, { ...request, token: 'mine' })).toBe(false)
  const record = { ...request, accessTokenId: 'a1', groups: [], createdAt: '2026-01-02T03:04:05Z' }
  expect(Value.Check(accessTokenRecordSchema, record)).toBe(true)
  expect(Value.Check(createdAccessTokenSchema, record)).toBe(false)
  expect(Value.Check(createdAccessTokenSchema, { ...record, accessToken: 'octavo_secret' })).toBe(true)
})

it('a grant gives one of three roles to a subject or a group', () => {
  expect(Value.Check(grantRequestSchema, { role: 'reader' })).toBe(true)
  expect(Value.Check(grantRequestSchema, { role: 'admin' })).toBe(false)
  const grant = { principal: { type: 'group', name: 'analysts' }, role: 'reader' }
  expect(Value.Check(grantRequestSchema, grant)).toBe(false)
  expect(Value.Check(grantRecordSchema, grant)).toBe(true)
  expect(Value.Check(grantRecordSchema, { ...grant, principal: { type: 'everyone', name: 'x' } })).toBe(false)
})
