// The kit must not demand more than the contract: a server that keeps the contract, and nothing else, passes.
import { expect, it } from 'vitest'
import { reportForPeople } from './reports/for-people.ts'
import { runOnModel } from '../test/support/run-on-model.ts'

/** Clauses that sixty small objects without these types cannot show. */
const needMore = new Set(['P8', 'P23', 'P50', 'P51', 'P69', 'P70', 'P71', 'P82'])

/** Needs page tokens that live shortly; program.test.ts has such a server. */
const waits = 'the tokens of a partition and of the pages that follow are good when page tokens have expired'

it.for(['1.0', '2.0', 'v2'] as const)('the model server passes in revision %s', async (revision) => {
  const report = await runOnModel(revision)
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed')
  expect(failed, reportForPeople({ ...report, results: failed })).toEqual([])
  const skipped = report.results.filter(({ outcome }) => outcome.kind === 'skipped')
  expect(skipped.filter(({ clause, title }) => !needMore.has(clause) && title !== waits)).toEqual([])
})
