import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addNight, type Night, recordNight } from './retries.ts'

const night = (day: number, ...retried: string[]): Night => ({ date: `2026-11-${day}`, retried })

it('the third night of one test in ten is a problem', () => {
  const before = [night(1, 'a'), night(2), night(3, 'a', 'b')]
  expect(addNight(before, night(4, 'b')).problems).toEqual([])
  expect(addNight(before, night(4, 'a', 'b')).problems).toEqual([
    'retried in 3 of the last 4 nights, so it is the test that is wrong: a',
  ])
})

it('a night is forgotten after ten others', () => {
  const before = Array.from({ length: 10 }, (_, day) => night(day, ...(day < 2 ? ['a'] : [])))
  const { nights, problems } = addNight(before, night(10, 'a'))
  expect(nights.map(({ date }) => date)).toEqual([...before.slice(1), night(10)].map(({ date }) => date))
  expect(problems).toEqual([])
})

it('the list is kept in a file, which need not exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-retries-'))
  try {
    const file = join(folder, 'retries.json')
    const problems = [1, 2, 3].map((day) => recordNight(file, night(day, 'a')).length)
    expect(problems).toEqual([0, 0, 1])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
