import { expect, it } from 'vitest'
import type { Observation } from '../../observe/observation.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { letTimePass } from '../../../test/support/let-time-pass.ts'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { pruneRegularly } from './prune-regularly.ts'
import { withStore } from '../../../test/support/with-store.ts'

const { database, store } = withStore()

const hourAgo = () => new Date(Date.now() - 3_700_000)

it('P36: nothing is deleted because the clock of the database is ahead', async () => {
  // To this instance, that clock is an hour ahead: commits of now look as if they were made in an hour.
  const behind = openTestStore({ databaseUrl: database.url }, { now: hourAgo })
  const ontology = await behind.applyOntology({ apiName: 'ahead', displayName: 'Ahead' })
  const type = await behind.applyObjectType(ontology, employeeDefinition)
  for (const age of [1, 2]) {
    await behind.commit({
      parts: [{ type, changes: [putObject(type, { employeeId: 'e', badge: '1', age })] }],
    })
  }
  await letTimePass(behind, type, 3_650)
  const observations: Observation[] = []
  const hour = { retentionSeconds: 3_600, commitsKeptSeconds: 3_600, keysKeptSeconds: 3_600 }
  const schedule = { ...hour, settleSeconds: 0, stagedKeptSeconds: 3_600, everySeconds: 0.05 }
  const stop = pruneRegularly(behind, schedule, (observation) => observations.push(observation))
  await expect.poll(() => observations.length).toBeGreaterThan(2)
  await stop()
  const floor = `select floor from ${type.tables.clock} where object_type = ${type.id}`
  expect(await behind.database.rows({ text: floor, values: [] })).toEqual([{ floor: '0' }])
  expect(observations).toContainEqual({ kind: 'database-clock-ahead', seconds: 3_700 })
  await behind.database.close()
})

it('P36: what no snapshot can read any more is deleted by itself, and nothing before', async () => {
  const ontology = await store.applyOntology({ apiName: 'pruned', displayName: 'Pruned' })
  const type = await store.applyObjectType(ontology, employeeDefinition)
  for (const age of [1, 2, 3]) {
    await store.commit({
      parts: [{ type, changes: [putObject(type, { employeeId: 'e', badge: '1', age })] }],
    })
  }
  const history = async () =>
    (
      await store.database.rows({ text: `select count(*) as n from ${type.tables.history}`, values: [] })
    )[0]?.['n']

  const observations: Observation[] = []
  const stop = pruneRegularly(
    store,
    {
      everySeconds: 0.05,
      retentionSeconds: 3_600,
      settleSeconds: 0,
      commitsKeptSeconds: 7_200,
      keysKeptSeconds: 3_600,
      stagedKeptSeconds: 3_600,
    },
    (observation) => observations.push(observation),
  )
  try {
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await history()).toBe('2')
    await letTimePass(store, type, 3_700)
    await expect.poll(history).toBe('0')
  } finally {
    await stop()
  }
  expect(observations).toContainEqual({ kind: 'history-pruned', historyRows: 2, commits: 0 })
  expect(observations.filter((observation) => observation.kind === 'pruning-failed')).toEqual([])
})
