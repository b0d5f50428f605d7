import { expect, it } from 'vitest'
import { logObservations } from './log-observations.ts'
import type { Observation } from './observation.ts'

const logged = (level: 'info' | 'silent', observation: Observation): unknown[] => {
  const lines: unknown[] = []
  logObservations(level, { write: (line) => lines.push(JSON.parse(line)) })(observation)
  return lines
}

it('logs an observation under its kind', () => {
  expect(logged('info', { kind: 'migration-applied', name: '0001_registry' })).toMatchObject([
    { level: 'info', kind: 'migration-applied', name: '0001_registry' },
  ])
})

it('logs nothing below the level', () => {
  const refused = {
    kind: 'request-refused',
    errorName: 'InvalidPageSize',
    errorInstanceId: '1',
    requestId: 'r',
  } as const
  expect(logged('info', refused)).toEqual([])
  expect(logged('silent', { kind: 'service-stopped' })).toEqual([])
})

it('logs of an error what finds its cause, and not the row that a database error carries', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (pk)=(hush)' })
  const [line] = logged('info', {
    kind: 'request-failed',
    errorName: 'Default:Internal',
    errorInstanceId: '1',
    requestId: 'r',
    error,
  })
  expect(line).toMatchObject({ level: 'error', error: { message: 'duplicate key', code: '23505' } })
  expect(JSON.stringify(line)).not.toContain('hush')
})
