// The tests of the service, on a coordinator and two workers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVitest } from '../../tools/run-vitest.ts'
import { expect, type Proof } from '../harness/prove.ts'

const inService = (names: readonly string[]): readonly string[] =>
  names.map((name) => `packages/service/${name}`)

/** Statements of pages, commits and definitions, and walks over HTTP. */
const shortTests = inService([
  'src/catalog/',
  'src/write/commit/',
  'src/write/define/apply-ontology',
  'src/read/rows/',
  'src/upkeep/prune/',
  'test/promises/a-walk-returns-every-object-once',
  'test/promises/links-lead-to-linked-objects',
  'test/promises/an-aggregate-is-exact-or-refused',
  'src/official-clients/promises/revision-v2',
])

const allTests = ['packages/service/']

const noLoads = 'a cluster has no loads: the command sends batches there'

/** Tests that mean nothing on a cluster, by file and the beginning of their titles (all of them, if none is given). */
export const leftOut: readonly LeftOut[] = [
  {
    file: 'src/read/rows/state/every-statement-proves-its-version.pg.test.ts',
    reason:
      'an old snapshot of PostgreSQL stands for a server that is behind: Citus has no snapshot over several nodes',
  },
  {
    file: 'src/http/every-error-is-reachable.pg.test.ts',
    titles: ['OutcomeUnknown > P103', 'StorageFull > P103'],
    reason: 'the fault is made by a trigger, and distributed tables have none',
  },
  {
    file: 'test/promises/an-object-has-its-versions.pg.test.ts',
    titles: ['P282: a page costs its rows'],
    reason: 'a plan of a cluster does not say which blocks its nodes have read',
  },
  {
    file: 'test/promises/a-snapshot-token-names-an-earlier-state.pg.test.ts',
    titles: ['P283: the commit of a time is found without looking'],
    reason: 'a plan of a cluster does not say which blocks its nodes have read',
  },
  {
    file: 'test/promises/what-a-type-holds.pg.test.ts',
    titles: ['P286: objects, sizes and indexes are those'],
    reason: 'the sizes that it compares with are those of the tables by their names, which are on the node',
  },
  {
    file: 'test/promises/a-cut-connection-is-an-error.pg.test.ts',
    reason:
      'it cuts connections to the first server, and pages come straight from the node of their ontology',
  },
  {
    file: 'test/promises/too-much-to-do.pg.test.ts',
    reason: 'it locks a table through the coordinator, which does not hold up pages of the node',
  },
  {
    file: 'test/promises/a-search-that-takes-too-long-goes-on.pg.test.ts',
    titles: ['P5: a page that takes long looks on'],
    reason: 'its clock advances each time it is read, and finding the node reads it too',
  },
  {
    file: 'test/promises/behind-a-pooler.pg.test.ts',
    titles: [
      'PgBouncer in session mode in front of the database > every statement has our settings, wherever it runs',
    ],
    reason: 'on a cluster the planner settings belong to the role, because the nodes plan',
  },
  {
    file: 'src/write/commit/write-commit.pg.test.ts',
    titles: ['a commit looks at the one before it'],
    reason: 'what was read of a table is counted by the node that holds it',
  },
  {
    file: 'src/write/define/apply-object-type.pg.test.ts',
    titles: ['an index made later is used by pages'],
    reason: 'it reads a plan, and the coordinator shows that of the node only in part',
  },
  {
    file: 'src/write/define/check-stored-objects.pg.test.ts',
    titles: ['P195: an object that is written after the check is found before the definition is saved'],
    reason: 'it reads a plan, and the coordinator shows that of the node only in part',
  },
  {
    file: 'test/promises/every-endpoint-for-every-caller.pg.test.ts',
    titles: ['beginLoad', 'listLoads', 'getLoad', 'giveUpLoad', 'putLoadPart', 'finishLoad'].map(
      (name) => `P115, P117, P118, P119, P120: ${name} `,
    ),
    reason: noLoads,
  },
  {
    file: 'test/promises/behind-a-pooler.pg.test.ts',
    titles: [
      'PgBouncer in session mode > in front of the database > every statement has our settings, wherever it runs',
    ],
    reason:
      'on a cluster the settings belong to the role, so that they reach every node, and the plan cache is its own',
  },
  {
    file: 'test/promises/a-checksum-proves-a-walk.pg.test.ts',
    titles: ['P251: a load has one too'],
    reason: noLoads,
  },
  {
    file: 'test/promises/changes-lead-from-state-to-state.pg.test.ts',
    titles: ['tooOld: after a load into an empty type; a load that replaces most of a type is remembered'],
    reason: noLoads,
  },
  {
    file: 'src/write/define/count-values.pg.test.ts',
    titles: ['a load that becomes the table counts its values'],
    reason: noLoads,
  },
  ...[
    'src/write/bulk/loads.pg.test.ts',
    'src/write/bulk/replacing-loads.pg.test.ts',
    'test/promises/a-load-is-visible-whole.pg.test.ts',
  ].map((file) => ({ file, reason: noLoads })),
  {
    file: 'src/http/every-error-is-reachable.pg.test.ts',
    titles: ['LoadClosed', 'LoadPartConflict', 'LoadOutdated', 'TooManyLoads'].map(
      (name) => `${name} > P103`,
    ),
    reason: noLoads,
  },
]

interface LeftOut {
  readonly file: string
  readonly titles?: readonly string[]
  readonly reason: string
}

const allOthers = (titles: readonly string[]): string =>
  `^(?!${titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`

export const proveSuites = (proof: Proof): Promise<void> =>
  proof.point('The tests of the service pass on a coordinator and two workers', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'octavo-citus-'))
    try {
      for (const { file, titles = ['all'], reason } of leftOut) {
        proof.say(`left out: ${file}, ${titles.join(', ')}: ${reason}`)
      }
      const outcome = await runVitest(proof.short ? shortTests : allTests, {
        exclude: leftOut
          .filter(({ titles }) => titles === undefined)
          .map(({ file }) => `packages/service/${file}`),
        titles: allOthers(leftOut.flatMap(({ titles = [] }) => titles)),
        environment: { OCTAVO_TEST_CITUS_WORKERS: '2', OCTAVO_TEST_DATABASE_URL: '' },
        scratch,
      })
      expect(outcome.failed === 0, `${outcome.failed} tests failed, ${outcome.passed} passed`)
      return `${outcome.passed} tests`
    } finally {
      rmSync(scratch, { recursive: true })
    }
  })
