import { clauseEntries } from '../clauses/clauses.ts'
import type { Finding } from '../clauses/clause-failure.ts'
import { tallyOf, type CaseResult, type KitReport } from '../kit/kit.ts'

const mostBody = 500

/** Grouped by section of the specification; failures are shown with request and answer. */
export function reportForPeople(report: KitReport): string {
  const { url, revision, ontology, objectType } = report.server
  const sections = Map.groupBy(report.results, ({ clause }) => clauseEntries.get(clause)?.section ?? 'Others')
  const { passed, failed, skipped } = tallyOf(report)
  return [
    `Revision ${revision} at ${url}, type ${objectType} of ${ontology}`,
    '',
    ...[...sections].flatMap(([section, results]) => [section, ...results.flatMap(linesOf), '']),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
    '',
  ].join('\n')
}

const signs = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const

function linesOf({ clause, title, outcome }: CaseResult): readonly string[] {
  const line = `  ${signs[outcome.kind]} ${clause.padEnd(4)} ${title}`
  switch (outcome.kind) {
    case 'passed':
      return [line]
    case 'skipped':
      return [`${line} (${outcome.reason})`]
    case 'failed':
      return [line, ...findingLines(outcome.finding).map((text) => `         ${text}`)]
    default:
      return outcome satisfies never
  }
}

function findingLines({ clause, expected, found, exchange }: Finding): readonly string[] {
  return [
    `breaks   ${clause}. ${clauseEntries.get(clause)?.rule ?? ''}`,
    ...(exchange === undefined
      ? []
      : [
          `sent     ${exchange.sent.method} ${shortened(exchange.sent.path)}`,
          ...(exchange.sent.body === undefined ? [] : [`         ${shortened(exchange.sent.body)}`]),
          `received ${exchange.status} ${shortened(exchange.text)}`,
        ]),
    `expected ${expected}`,
    ...(found === undefined ? [] : [`found    ${found}`]),
  ]
}

const shortened = (text: string): string =>
  (text.length > mostBody ? `${text.slice(0, mostBody)}...` : text).replaceAll('\n', ' ')
