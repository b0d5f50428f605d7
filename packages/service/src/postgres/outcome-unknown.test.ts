import { expect, it } from 'vitest'
import { commitFailure, OutcomeUnknown } from './outcome-unknown.ts'

const fromServer = (code: string) => Object.assign(new Error('refused'), { severity: 'ERROR', code })

it.each([
  ['a violated key was rolled back', '23505', false],
  ['a deadlock was rolled back', '40P01', false],
  ['a full disk was rolled back', '53100', false],
  ['a server that was stopped may have committed', '57P01', true],
  ['a node that a pooler lost may have committed', '08006', true],
  ['a node that a Citus coordinator lost may have committed', 'XX000', true],
])('%s', (_says, code, isUnknown) => {
  expect(commitFailure(fromServer(code)) instanceof OutcomeUnknown).toBe(isUnknown)
})

it('a connection that broke may have committed', () => {
  expect(commitFailure(new Error('read ECONNRESET'))).toBeInstanceOf(OutcomeUnknown)
})
