// The conformance kit on the real service: types of every kind and size, with a writer, and the command as a new user runs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brokenClauses, reportForPeople, tallyOf, type KitReport } from '@octavo/conformance'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { withOctavoForTheKit, type OctavoForTheKit } from './octavo-for-the-kit.ts'

/** The clauses that require something else of more than 10,000 objects than of a few. */
const clausesOfSize = 'P6 P19 P20 P23 P33 P35 P41 P68 P69 P70 P71 P82 P150 P245 P253 P255 P257'.split(' ')

const revisions = ['1.0', '2.0', 'v2'] as const

async function withOctavo(work: (octavo: OctavoForTheKit) => Promise<void>): Promise<void> {
  const database = await freshDatabase()
  try {
    await withOctavoForTheKit(database.url, work)
  } finally {
    await database.drop()
  }
}

it(
  'the kit passes in every revision, and there is no case that no type lets it try',
  { timeout: 900_000 },
  () =>
    withOctavo(async (octavo) => {
      const many = await octavo.addItems(10_050)
      const large = await octavo.addLargeObjects()
      const keyed = await octavo.addKeyedTypes()
      for (const revision of revisions) {
        const reports = [await octavo.check('employee', revision)]
        // The cases of revision v2 require nothing of many or large objects.
        if (revision !== 'v2') {
          reports.push(
            await octavo.check(many, revision, clausesOfSize),
            await octavo.check(large, revision, ['P8']),
          )
        }
        if (revision === '2.0') reports.push(await octavo.checkPartsOutlive('employee'))
        for (const objectType of keyed) reports.push(await octavo.check(objectType, revision))
        for (const report of reports) {
          const results = report.results.filter(({ outcome }) => outcome.kind === 'failed')
          expect(brokenClauses(report), reportForPeople({ ...report, results })).toEqual([])
          expect(tallyOf(report).failed).toBe(0)
        }
        const tried = casesIn(reports, 'passed')
        expect(casesIn(reports, 'skipped').filter((each) => !tried.includes(each))).toEqual([])
      }
    }),
)

const casesIn = (reports: readonly KitReport[], kind: 'passed' | 'skipped'): readonly string[] =>
  reports
    .flatMap(({ results }) => results)
    .filter(({ outcome }) => outcome.kind === kind)
    .map(({ clause, title }) => `${clause} ${title}`)

const command = fileURLToPath(new URL('../../packages/conformance/src/main.ts', import.meta.url))

it('the kit also passes as a command, which writes through the batch endpoint', () =>
  withOctavo(async (octavo) => {
    for (const revision of revisions) {
      const words = ['--conditions=@octavo/source', command, ...octavo.wordsFor('employee', revision)]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      expect(code, `revision ${revision}: ${said}`).toBe(0)
    }
  }))
