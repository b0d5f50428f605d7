import { clauseEntries } from '../clauses/clauses.ts'
import { tallyOf, type KitReport, type Outcome } from '../kit/kit.ts'

export const reportAsJson = (report: KitReport): string =>
  `${JSON.stringify(
    {
      ...report.server,
      startedAt: report.startedAt.toISOString(),
      milliseconds: report.milliseconds,
      ...tallyOf(report),
      results: report.results.map(({ clause, title, milliseconds, outcome }) => ({
        clause,
        section: clauseEntries.get(clause)?.section,
        title,
        milliseconds,
        outcome: outcome.kind,
        ...details(outcome),
      })),
    },
    null,
    2,
  )}\n`

function details(outcome: Outcome): object {
  if (outcome.kind === 'skipped') return { reason: outcome.reason }
  if (outcome.kind === 'passed') return {}
  const { clause, expected, found, exchange } = outcome.finding
  return {
    failure: {
      clause,
      rule: clauseEntries.get(clause)?.rule,
      ...(exchange && {
        sent: exchange.sent,
        received: {
          status: exchange.status,
          headers: Object.fromEntries(exchange.headers),
          body: exchange.text,
        },
      }),
      expected,
      found,
    },
  }
}
