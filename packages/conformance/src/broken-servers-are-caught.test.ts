import { expect, it } from 'vitest'
import { clauseEntries } from './clauses/clauses.ts'
import { noAggregates } from '../test/support/broken-servers/links-and-aggregates.ts'
import { noChanges } from '../test/support/broken-servers/changes.ts'
import { noSnapshotTokens } from '../test/support/broken-servers/snapshots.ts'
import { refuse } from '../test/support/model-server/model-refusal.ts'
import { brokenServers } from '../test/support/broken-servers/all-broken-servers.ts'
import { judgeBrokenServer, revisionsOf } from '../test/support/judge-broken-server.ts'
import { runOnModel } from '../test/support/run-on-model.ts'

it('there are many broken servers, and each names a clause that exists', () => {
  expect(new Set(brokenServers.map(({ name }) => name)).size).toBeGreaterThanOrEqual(15)
  const clauses = brokenServers.flatMap(({ clause, also = [] }) => [clause, ...also])
  expect(clauses.filter((clause) => !clauseEntries.has(clause))).toEqual([])
})

// Runs only the cases of the server's clause, in one revision, each in turn: the-kit-names-no-other-clause.long.test.ts runs the whole kit in
// every revision.
it.concurrent.for(
  brokenServers.map((server, i) => {
    const revisions = revisionsOf(server)
    return { ...server, tried: revisions[i % revisions.length] ?? '2.0' }
  }),
)('$name: the kit names $clause in revision $tried', async ({ tried, ...server }) => {
  const { problem } = await judgeBrokenServer(server, tried, [server.clause])
  expect(problem).toBeUndefined()
})

const ofChanges = ['P270', 'P271', 'P272', 'P273', 'P275', 'P276', 'P278', 'P279']

it('a server that is older than changes fails once for each of their clauses, with the reason', async () => {
  const { results } = await runOnModel('2.0', { steps: noChanges.steps() })
  const failures = results.flatMap(({ clause, outcome }) =>
    outcome.kind === 'failed' ? [{ tried: clause, ...outcome.finding }] : [],
  )
  expect(failures.map(({ tried }) => tried).toSorted()).toEqual(ofChanges)
  expect(failures.map(({ clause }) => clause).toSorted()).toEqual(ofChanges)
  expect(failures[0]?.expected).toContain('every server has this endpoint')
})

it.for(['1.0', '2.0'] as const)(
  'a server of revision %s that is older than aggregates fails once, and the other cases about them say what they need',
  async (revision) => {
    const clauses = [...clauseEntries].filter(([, { section }]) => section === 'Aggregates')
    const only = clauses.map(([clause]) => clause)
    const { results } = await runOnModel(revision, { steps: noAggregates.steps(), only })
    const failures = results.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.finding] : []))
    expect(failures.map(({ clause }) => clause)).toEqual(['P300'])
    expect(failures[0]?.expected).toContain('every server has this endpoint')
    const reasons = results.flatMap(({ outcome }) => (outcome.kind === 'skipped' ? [outcome.reason] : []))
    expect(reasons).toHaveLength(results.length - 1)
    for (const reason of reasons) expect(reason).toMatch(/^needs aggregates: the server does/)
  },
)

it('a server that is older than snapshot tokens, partitions and changes fails once for each of their clauses, with the reason', async () => {
  const { results } = await runOnModel('2.0', { steps: noSnapshotTokens.steps() })
  const failures = results.flatMap(({ clause, outcome }) =>
    outcome.kind === 'failed' ? [{ tried: clause, ...outcome.finding }] : [],
  )
  const ofParts = ['P253', 'P254', 'P255', 'P256', 'P257', 'P258']
  const clauses = ['P240', 'P241', 'P242', 'P243', 'P244', 'P245', ...ofParts, ...ofChanges]
  expect(failures.map(({ tried, clause }) => `${tried} ${clause}`).toSorted()).toEqual(
    clauses.map((clause) => `${clause} ${clause}`),
  )
  expect(failures[0]?.expected).toContain('every server has this endpoint')
  const reasons = results.flatMap(({ clause, outcome }) =>
    outcome.kind === 'skipped' && clauses.includes(clause) ? [outcome.reason] : [],
  )
  expect(reasons.length).toBeGreaterThan(5)
  for (const reason of reasons)
    expect(reason).toMatch(/^needs (snapshot tokens|counts|partitions|changes): the server does/)
})

const ofSubscriptions = ['P360', 'P361', 'P362', 'P363']

it('a server without subscriptions, which are optional, fails nothing, and the cases about them say what they need', async () => {
  const steps = { knowsSubscriptions: () => refuse('PathNotFound', {}) }
  const { results } = await runOnModel('v2', { steps, only: ofSubscriptions })
  expect(results.length).toBeGreaterThan(4)
  for (const { outcome } of results) {
    expect(outcome).toMatchObject({ kind: 'skipped' })
    expect(outcome.kind === 'skipped' && outcome.reason).toMatch(/^needs subscriptions: the server does not/)
  }
})

it.for(['plain', 'refused', 'closed'] as const)(
  'P360: where a proxy lets no web socket through (%s), nothing is said about the server',
  async (sockets) => {
    const { results } = await runOnModel('v2', { sockets, only: ofSubscriptions })
    const [plain, ...others] = results.map(({ outcome }) => outcome)
    expect(plain).toEqual({ kind: 'passed' })
    for (const outcome of others) {
      expect(outcome.kind === 'skipped' && outcome.reason).toMatch(
        /^needs a way to the server for web sockets/,
      )
    }
  },
)
