import { expect, it } from 'vitest'
import { explainDatabaseFailure } from './explain-failure.ts'
import { errorNamed } from '../../test/support/named-errors.ts'

const withCode = (code: string) => Object.assign(new Error('hush'), { code })

it.each([
  ['57014', 'ScanTimedOut'],
  ['08006', 'Overloaded'],
  ['25006', 'Overloaded'],
  ['40001', 'Overloaded'],
  ['40P01', 'Overloaded'],
  ['28P01', 'Overloaded'],
  ['53100', 'StorageFull'],
  ['53300', 'Overloaded'],
  ['55P03', 'Overloaded'],
  ['57P01', 'Overloaded'],
  ['57P03', 'Overloaded'],
  ['ECONNREFUSED', 'Overloaded'],
  ['EAI_AGAIN', 'Overloaded'],
])('the code %s of the database is %s to a caller', (code, errorName) => {
  const explained = explainDatabaseFailure(withCode(code))
  expect(explained?.errorName).toBe(errorName)
  expect(explained?.message).not.toContain('hush')
})

it.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('a lost connection that the driver reports as "%s" is no fault of the request', (message) => {
  expect(explainDatabaseFailure(new Error(message))).toMatchObject(
    errorNamed('Overloaded', { retryAfterSeconds: 2 }),
  )
})

it('a session that the server ends or does not open is no fault of ours, whatever the reason', () => {
  const error = Object.assign(new Error('could not write init file'), { code: 'XX000', severity: 'FATAL' })
  expect(explainDatabaseFailure(error)).toMatchObject({ errorName: 'Overloaded' })
  expect(explainDatabaseFailure(Object.assign(error, { severity: 'ERROR' }))).toBeUndefined()
})

it.each(['23505', '42P01', '22P02', 'XX000', '157P01', 'ERR_SOMETHING'])(
  'the code %s is not explained away: it is a fault of ours',
  (code) => {
    expect(explainDatabaseFailure(withCode(code))).toBeUndefined()
  },
)
