import { expect, it } from 'vitest'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { clockLead } from './clock-lead.ts'

const begun = 1_800_000_000
const day = 86_400

/** Seconds that have passed since the beginning, as each of the three clocks tells them. */
const clocks = { database: 0, wall: 0, elapsed: 0 }
const pass = (seconds: number): void => {
  for (const name of ['database', 'wall', 'elapsed'] as const) clocks[name] += seconds
}
const database = {
  rows: async () => [{ seconds: String(begun + clocks.database) }],
} as Partial<SchemaDatabase> as SchemaDatabase

const lead = () =>
  clockLead(() => database, {
    now: () => new Date((begun + clocks.wall) * 1_000),
    elapsed: () => clocks.elapsed * 1_000,
  })
const schema = { schema: 'o1' }

it('a clock of the database that is set ahead leads by as much, until it is set back', async () => {
  const read = lead()
  expect(await read(schema)).toBe(0)
  pass(30)
  expect(await read(schema)).toBe(0)
  clocks.database += 9 * day
  expect(await read(schema)).toBe(9 * day)
  pass(30)
  expect(await read(schema)).toBe(9 * day)
  clocks.database -= 9 * day
  expect(await read(schema)).toBe(0)
})

it('where the instance has the same clock, the step is seen all the same', async () => {
  const read = lead()
  await read(schema)
  clocks.database += day
  clocks.wall += day
  pass(30)
  expect(await read(schema)).toBe(day)
  // Another one that begins now takes both clocks to be right.
  expect(await lead()(schema)).toBe(0)
})

it('a clock of the instance that goes ahead, and small drifts, change nothing', async () => {
  const read = lead()
  await read(schema)
  clocks.wall += day
  expect(await read(schema)).toBe(0)
  for (let round = 0; round < 100; round += 1) {
    pass(30)
    clocks.database += 0.1
    expect(await read(schema)).toBe(0)
  }
})
