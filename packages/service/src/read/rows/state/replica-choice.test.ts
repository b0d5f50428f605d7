import { expect, it } from 'vitest'
import type { Database } from '../../../postgres/database.ts'
import { replicaChoice, type Replica } from './replica-choice.ts'

const replica = (name: string): Replica => ({ name, database: {} as Database })
const [one, two] = [replica('one'), replica('two')]
const wanted = { table: 't', version: 10n }

it('replicas are asked in turns', () => {
  const choice = replicaChoice([one, two], () => 0)
  const names = Array.from({ length: 4 }, () => choice.choose(wanted)?.name)
  expect(names.filter((name) => name === 'one')).toHaveLength(2)
  expect(new Set(names.slice(0, 2)).size).toBe(2)
  expect(replicaChoice([], () => 0).choose(wanted)).toBeUndefined()
})

it('a replica that was behind is asked for what it had, and for more only after a while or when it has arrived', () => {
  let now = 0
  const choice = replicaChoice([one], () => now)
  choice.behind(one, { table: 't', version: 9n })
  expect(choice.choose(wanted)).toBeUndefined()
  expect(choice.choose({ table: 't', version: 9n })).toBe(one)
  expect(choice.choose({ table: 'other', version: 10n })).toBe(one)
  now = 200
  expect(choice.choose(wanted)).toBe(one)
  choice.behind(one, { table: 't', version: 9n })
  choice.arrived(one, 't')
  expect(choice.choose(wanted)).toBe(one)
})

it('a replica that failed is left out for a while, and the others are not', () => {
  let now = 0
  const choice = replicaChoice([one, two], () => now)
  choice.leaveOut(one)
  for (let i = 0; i < 3; i += 1) expect(choice.choose(wanted)).toBe(two)
  choice.leaveOut(two)
  expect(choice.choose(wanted)).toBeUndefined()
  now = 5_000
  expect(choice.choose(wanted)).toBeDefined()
})
