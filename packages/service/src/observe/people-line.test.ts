import { expect, it } from 'vitest'
import { logObservations } from './log-observations.ts'
import type { Observation } from './observation.ts'
import { peopleLine } from './people-line.ts'

const lineOf = (observation: Observation, colour = false): string => {
  let line = ''
  logObservations('trace', { write: (text) => void (line += text) })(observation)
  return peopleLine(line, { colour })
}

it('is one line with the time, the level, what happened and its facts', () => {
  expect(lineOf({ kind: 'migration-applied', name: '0001_registry' })).toMatch(
    /^\d\d:\d\d:\d\d info {3}migration applied {2}name=0001_registry\n$/,
  )
})

it('rounds fractions, and puts ids last', () => {
  const line =
    '{"level":"info","time":"2026-01-01T00:00:00Z","kind":"a-b","requestId":"r","seconds":0.0224650189,"status":200}'
  expect(peopleLine(line, { colour: false })).toMatch(
    / a b {2}seconds=0\.0225 {2}status=200 {2}requestId=r\n$/,
  )
})

it('shows of an error its message and not its stack', () => {
  const line = lineOf({ kind: 'replica-failed', replica: 'one:5432', error: new Error('went away') })
  expect(line).toMatch(/ warn {3}replica failed {2}replica=one:5432 {2}error=\{.*"message":"went away"\}\n$/)
  expect(line.split('\n')).toHaveLength(2)
  expect(line).not.toContain('people-line.test')
})

it('keeps what callers send from acting on the terminal', () => {
  const line = lineOf({ kind: 'migration-applied', name: 'a\u001B[2Jb\u009Bc\nd\u202Ee' })
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})

it('has colours only where they are wanted', () => {
  expect(lineOf({ kind: 'service-stopped' })).not.toContain('\u001B')
  expect(lineOf({ kind: 'service-stopped' }, true)).toContain('\u001B[32minfo')
})
