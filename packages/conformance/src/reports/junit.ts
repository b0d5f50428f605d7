import { clauseEntries } from '../clauses/clauses.ts'
import { tallyOf, type CaseResult, type KitReport } from '../kit/kit.ts'

/** The report for CI systems: a suite per section, a test per case. */
export function reportAsJunit(report: KitReport): string {
  const sections = Map.groupBy(report.results, ({ clause }) => clauseEntries.get(clause)?.section ?? 'Others')
  const { failed, skipped } = tallyOf(report)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="octavo-conformance ${report.server.revision}" tests="${report.results.length}" failures="${failed}" skipped="${skipped}" time="${report.milliseconds / 1000}">`,
    ...[...sections].flatMap(([section, results]) => suite(report, section, results)),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(report: KitReport, section: string, results: readonly CaseResult[]): readonly string[] {
  const { failed, skipped } = tallyOf({ ...report, results })
  const seconds = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  return [
    `  <testsuite name="${escaped(section)}" tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`,
    ...results.flatMap((result) => testCase(section, result)),
    '  </testsuite>',
  ]
}

function testCase(section: string, { clause, title, milliseconds, outcome }: CaseResult): readonly string[] {
  const name = `name="${escaped(`${clause}: ${title}`)}" classname="${escaped(section)}" time="${milliseconds / 1000}"`
  switch (outcome.kind) {
    case 'passed':
      return [`    <testcase ${name}/>`]
    case 'skipped':
      return [`    <testcase ${name}><skipped message="${escaped(outcome.reason)}"/></testcase>`]
    case 'failed': {
      const { clause: broken, expected, found, exchange } = outcome.finding
      const text = [
        `expected ${expected}`,
        ...(found === undefined ? [] : [`found ${found}`]),
        ...(exchange === undefined
          ? []
          : [
              `sent ${exchange.sent.method} ${exchange.sent.path} ${exchange.sent.body ?? ''}`,
              `received ${exchange.status} ${exchange.text.slice(0, 2_000)}`,
            ]),
      ].join('\n')
      const message = `breaks ${broken}: ${clauseEntries.get(broken)?.rule ?? ''}`
      return [
        `    <testcase ${name}><failure message="${escaped(message)}">${escaped(text)}</failure></testcase>`,
      ]
    }
    default:
      return outcome satisfies never
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 cannot represent most control characters, so they are replaced. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
