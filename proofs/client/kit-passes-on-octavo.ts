// The conformance kit on the real service: types of every kind and size, with a writer, and the command as a new user runs
// it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brokenClauses, reportForPeople, tallyOf, type KitReport } from '@octavo/conformance'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { expect, type Proof } from '../harness/prove.ts'
import { withOctavoForTheKit, type OctavoForTheKit } from './octavo-for-the-kit.ts'

const revisions = ['1.0', '2.0', 'v2'] as const

/** The clauses that require something else of more than 10,000 objects than of a few. */
const clausesOfSize = [
  'P6',
  'P19',
  'P20',
  'P23',
  'P33',
  'P35',
  'P41',
  'P68',
  'P69',
  'P70',
  'P71',
  'P82',
  'P150',
  'P245',
  'P253',
  'P255',
  'P257',
]

export async function proveKitPassesOnOctavo(proof: Proof): Promise<void> {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    await withOctavoForTheKit(cluster.url, async (octavo) => {
      await provePasses(proof, octavo)
      await proveCommand(proof, octavo)
    })
  } finally {
    await cluster.stop()
  }
}

async function provePasses(proof: Proof, octavo: OctavoForTheKit): Promise<void> {
  await proof.point(
    'The conformance kit passes on the service in every revision, with its writer, and no case is skipped',
    async () => {
      const many = await octavo.addItems(10_050)
      const large = await octavo.addLargeObjects()
      const keyed = proof.short ? [] : await octavo.addKeyedTypes()
      const sums: string[] = []
      for (const revision of revisions) {
        // The cases of revision v2 require nothing of many or large objects.
        const others =
          revision === 'v2'
            ? []
            : [
                await octavo.check(many, revision, proof.short ? clausesOfSize : undefined),
                await octavo.check(large, revision, ['P8']),
              ]
        // Each type shows what the others cannot; a case counts as tried if one of them could try it.
        const reports = [await octavo.check('employee', revision), ...others]
        if (revision === '2.0') reports.push(await octavo.checkPartsOutlive('employee'))
        for (const objectType of keyed) reports.push(await octavo.check(objectType, revision))
        for (const report of reports) requireAllPassed(proof, report)
        const tried = casesIn(reports, 'passed')
        const untried = [...casesIn(reports, 'skipped')].filter((each) => !tried.has(each))
        expect(untried.length === 0, `no type lets the kit try: ${untried.join('; ')}`)
        const passed = reports.reduce((sum, report) => sum + tallyOf(report).passed, 0)
        sums.push(`revision ${revision}: ${tried.size} cases, ${passed} passes, 0 failures`)
      }
      return sums.join('; ')
    },
  )
}

function requireAllPassed({ say }: Proof, report: KitReport): void {
  const { passed, failed, skipped } = tallyOf(report)
  const { objectType, revision } = report.server
  say(`${objectType}, revision ${revision}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  const results = report.results.filter(({ outcome }) => outcome.kind === 'failed')
  if (failed > 0) for (const line of reportForPeople({ ...report, results }).split('\n')) say(line)
  expect(failed === 0, `${objectType} breaks ${brokenClauses(report).join(', ')} in revision ${revision}`)
}

const casesIn = (reports: readonly KitReport[], kind: 'passed' | 'skipped'): Set<string> =>
  new Set(
    reports
      .flatMap(({ results }) => results)
      .filter(({ outcome }) => outcome.kind === kind)
      .map(({ clause, title }) => `${clause} ${title}`),
  )

const command = fileURLToPath(new URL('../../packages/conformance/src/main.ts', import.meta.url))

async function proveCommand(proof: Proof, octavo: OctavoForTheKit): Promise<void> {
  await proof.point('It also passes as a command, which writes through the batch endpoint', async () => {
    const closings: string[] = []
    for (const revision of revisions) {
      const words = ['--conditions=@octavo/source', command, ...octavo.wordsFor('employee', revision)]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
      const closing = said.trim().split('\n').at(-1) ?? ''
      expect(code === 0, `revision ${revision} ended with ${String(code)}: ${said}`)
      closings.push(`revision ${revision}: ${closing}`)
    }
    return closings.join('; ')
  })
}
