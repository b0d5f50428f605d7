// A reader follows the documents: saves their files, types their commands, and compares what is printed. A block of commands
// that is not typed says above it why, or what else runs it.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, needing } from '../../packages/cli/test/support/terminal.ts'
import { stepsOf } from './document-steps.ts'
import { readings } from './readings.ts'
import { openReader } from './reader.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const documents = globSync(
  [
    '*.md',
    'docs/*.md',
    'docs/{start,load,read,copy,build,run,run/runbooks}/*.md',
    '{deploy,examples,packages/*,proofs/*}/README.md',
  ],
  { cwd: root },
).toSorted()

const allSteps = documents.flatMap((document) =>
  stepsOf(read(document)).map((step) => ({ document, ...step })),
)

describe('a block of commands', () => {
  it('is marked as sh or sql', () => {
    const unmarked = allSteps.filter(({ kind }) => kind === 'unmarked')
    expect(unmarked.map(({ document, line }) => `${document}:${line}`)).toEqual([])
  })

  it('is run here, or says why not', () => {
    const followed = new Set(readings.flatMap(({ pages }) => pages.map(({ document }) => document)))
    const forgotten = allSteps.filter(({ kind, document }) => kind === 'commands' && !followed.has(document))
    expect(
      forgotten.map(
        ({ document, line }) =>
          `${document}:${line}: add the page to tools/documents/readings.ts, or a comment above the block`,
      ),
    ).toEqual([])
  })

  it('is not run only for these reasons', () => {
    const reasons = allSteps.flatMap((step) =>
      step.kind === 'not run' ? [`${step.document}: ${step.reason}`] : [],
    )
    expect(reasons).toMatchInlineSnapshot(`
      [
        "CONTRIBUTING.md: installs programs on the machine; .ci/run does the same before every check",
        "CONTRIBUTING.md: the check runs this test; prove:workspace runs it in a fresh clone",
        "CONTRIBUTING.md: a choice of commands, of which some run until they are stopped and others take minutes",
        "docs/releasing.md: publishes a release",
        "docs/run/high-availability.md: needs machines with systemd",
        "docs/run/high-availability.md: needs machines with systemd; prove:faults starts Patroni with these files",
        "docs/run/high-availability.md: needs machines with systemd; prove:faults starts HAProxy with this file",
        "docs/run/high-availability.md: needs the cluster of machines from above",
        "docs/run/installing.md: installs into /opt and /etc, and needs systemd",
        "docs/run/scaling-out.md: needs a Citus cluster; ontology-command.pg.test.ts runs both on one",
        "docs/run/scaling-out.md: needs a Citus cluster; prove:citus adds workers and rebalances in the same way",
        "docs/start/your-own-data.md: needs a database of yours; from-table.pg.test.ts runs the same on a test database",
        "packages/client/README.md: the package is not published yet; check-packages.ts runs it from its tarball",
        "packages/conformance/README.md: the package is not published yet; the-kit-passes-on-octavo.pg.test.ts runs the kit from source",
        "packages/octavo/README.md: the package is not published yet; prove:first-hour runs it from its tarball",
        "proofs/speed/README.md: takes minutes to hours; \`npm run check -- --full\` runs the first",
      ]
    `)
  })

  it('is run elsewhere only by a file that reads the document', () => {
    for (const step of allSteps) {
      if (step.kind !== 'run by') continue
      expect(existsSync(join(root, step.file)), step.file).toBe(true)
      expect(read(step.file), `${step.file} does not read ${step.document}`).toContain(step.document)
    }
  })
})

const programs = ['script', 'curl', 'psql', 'python3']
const isMissing = !programs.every(isInstalled)

describe.skipIf(isMissing)(`a reader who follows${needing(...programs)}`, () => {
  let cluster: Cluster
  let scratch = ''
  beforeAll(async () => {
    cluster = await startCluster()
    scratch = mkdtempSync(join(tmpdir(), 'octavo-documents-'))
  })
  afterAll(async () => {
    await cluster.stop()
    rmSync(scratch, { recursive: true, maxRetries: 5 })
  })

  it.concurrent.each(readings)('$title', { timeout: 600_000 }, async ({ pages }) => {
    const reader = await openReader({ root, scratch, cluster })
    try {
      for (const page of pages) await reader.follow(page, stepsOf(read(page.document)))
    } finally {
      await reader.close()
    }
    expect(reader.differences()).toEqual([])
  })
})
