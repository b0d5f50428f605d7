// A claim is one sentence and a command that fails if it is not true.

/** What a check is for. Each size includes those before it. */
export const sizes = {
  quick: 'before a commit: what needs no database',
  change: 'for every change, in CI too',
  full: 'every night and before a release',
} as const

export type Size = keyof typeof sizes

export interface Claim {
  readonly name: string
  readonly claim: string
  readonly command: readonly string[]
  /** The smallest check that includes it. */
  readonly size: Size
  /** Counts its own tests: the command is vitest, and writes a JSON report to the file that it is given. */
  readonly countsTests?: boolean
  /** Takes minutes but mostly waits: such claims run in parallel, after all others. */
  readonly waits?: boolean
  /** Beginnings of paths. A pull request that changes one of them is checked for this claim too, whatever its size. */
  readonly touchedBy?: readonly string[]
}

const source = ['node', '--conditions=@octavo/source']
/** The native compiler, several times as fast. TypeScript 6 stays for tools that need its API. */
const compiler = ['node', 'node_modules/typescript-7/bin/tsc']

const proof = (name: string, claim: string, touchedBy: readonly string[] = []): Claim => ({
  name: `prove:${name}`,
  claim,
  command: [...source, 'tools/prove.ts', name, '--short'],
  size: 'full',
  touchedBy: [`proofs/${name}`, ...touchedBy],
})
/** A point of the checker, which takes at most three minutes in its short form. */
const checker = (name: string, claim: string, touchedBy: readonly string[] = []): Claim => ({
  name: `checker:${name}`,
  claim,
  command: [...source, 'tools/prove.ts', 'checker', '--point', name, '--short'],
  size: 'full',
  touchedBy: [`proofs/checker/${name}`, ...touchedBy],
})
const waiting = (claim: Claim): Claim => ({ ...claim, waits: true })

/** Where the statements are. */
const sql = [
  'migrations/',
  'src/postgres/',
  'src/read/sql/',
  'src/read/rows/',
  'src/write/',
  'src/catalog/',
].map((path) => `packages/service/${path}`)
const onPostgres = (major: number): Claim => ({
  name: `postgres-${major}`,
  claim: `The tests of folders that use SQL also pass on PostgreSQL ${major}`,
  command: [...source, 'tools/check-postgres.ts', '--short', String(major)],
  size: 'full',
  touchedBy: ['tools/check-postgres', ...sql],
})

/** In the order in which they are checked: those that answer soonest come first. */
export const claims: readonly Claim[] = [
  {
    name: 'types-explorer',
    claim: 'The types of the explorer are correct',
    command: [...compiler, '-p', 'packages/explorer/app'],
    size: 'quick',
  },
  {
    name: 'build',
    claim: 'The published packages build',
    command: [...compiler, '-b', 'tsconfig.build.json'],
    size: 'quick',
  },
  { name: 'unused', claim: 'No code and no dependency is unused', command: ['knip'], size: 'quick' },
  { name: 'types', claim: 'The types are correct', command: [...compiler, '-p', '.'], size: 'quick' },
  {
    name: 'generated',
    claim: 'Generated files are in sync with their source',
    command: [...source, 'tools/generate.ts', '--check'],
    size: 'quick',
  },
  {
    name: 'boundaries',
    claim: 'The architecture rules hold',
    command: [...source, 'tools/check-boundaries.ts'],
    size: 'quick',
  },
  {
    name: 'wings',
    claim: 'The service compiles without its wings',
    command: [...source, 'tools/check-wings.ts'],
    size: 'change',
  },
  {
    name: 'lint',
    claim: 'Lint finds nothing',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
    size: 'quick',
  },
  {
    name: 'format',
    claim: 'Every file is formatted',
    command: ['prettier', '--check', '--cache', '--cache-strategy=content', '--log-level=warn', '.'],
    size: 'quick',
  },
  {
    name: 'tests-pure',
    claim: 'The tests that need no database pass',
    command: ['vitest', 'run', '--project=pure'],
    countsTests: true,
    size: 'quick',
  },
  {
    name: 'tests',
    claim: 'The tests that need PostgreSQL pass',
    command: ['vitest', 'run', '--project=pg', '--project=alone'],
    countsTests: true,
    size: 'change',
  },
  {
    name: 'tests-long',
    claim: 'The tests pass that take long and that few changes can break',
    command: ['vitest', 'run', '--project=long'],
    countsTests: true,
    size: 'full',
    touchedBy: [
      'packages/cli/',
      'packages/conformance/',
      'packages/octavo/',
      'packages/dev-database/',
      'docs/',
      'examples/',
      'README.md',
    ],
  },
  {
    name: 'tests-generated',
    claim: 'Tests of generated and of large cases pass with many more cases, which differ each time',
    command:
      'env OCTAVO_MANY_GENERATED=yes vitest run --testTimeout=900000 --project=pg --project=alone .generated. .alone.'.split(
        ' ',
      ),
    countsTests: true,
    size: 'full',
  },
  {
    name: 'without-wings',
    claim: 'The service keeps every promise of revisions 1.0 and 2.0 without its wings',
    command: [...source, 'tools/check-wings.ts', '--tests'],
    size: 'full',
    touchedBy: ['tools/check-wings'],
  },
  {
    name: 'packages',
    claim: 'The published packages are complete, and work in an empty project',
    command: [...source, 'tools/check-packages.ts'],
    size: 'full',
    touchedBy: ['tools/check-packages', 'packages/octavo/'],
  },
  {
    name: 'site',
    claim: 'Every document is a page of the site, and every link in it leads to a page, a heading or a file',
    command: ['npm', 'run', '--silent', 'site'],
    size: 'full',
    touchedBy: ['site/', 'docs/', 'spec/', 'README.md', 'ARCHITECTURE.md', 'packages/client/README.md'],
  },
  ...[15, 16, 17, 18].map(onPostgres),
  proof('workspace', 'A newcomer can start it from a fresh clone', ['tools/dev']),
  proof('first-hour', 'On a machine with Node alone, one line starts it and gives a first page', [
    'packages/octavo/',
    'packages/dev-database/',
  ]),
  proof('store', 'Loads and commits are fast, and a deep page costs what the first costs'),
  proof('search', 'No input reaches the text of a statement, and a page costs what its rows cost'),
  proof(
    'points',
    'A snapshot token names one state of several types, and a checksum proves what was read in it',
  ),
  proof('changes', 'The changes since a state make a copy of it equal to a later one'),
  proof('links', 'Aggregates equal a plain computation, and following links costs what it touches'),
  proof(
    'explorer',
    'The explorer is small and private, shows what the service returns and nothing else, and stays quick over many rows',
    ['packages/explorer/'],
  ),
  proof('pages', 'Bad input does no harm, and large pages use bounded memory'),
  proof('load', 'Loading a file ends with exactly its objects, whatever is killed on the way'),
  proof('client', 'The client never loses data silently, resumes in another process, and costs little', [
    'packages/client/',
  ]),
  proof(
    'official-clients',
    'The official clients of the API family read every object, unmodified, under writers and through restarts',
  ),
  proof('speed', 'A page costs the same at every depth and size, and all contestants return the right pages'),
  proof('lost', 'While others write, a snapshot walk loses nothing, and walks without a snapshot do'),
  proof('rolling', 'Three instances are restarted in turn under load, and no request fails', [
    'packages/service/src/run-service.ts',
    'packages/service/src/stop-service.ts',
    'packages/service/src/workers/',
  ]),
  proof('faults', 'Whatever is killed or disconnected, no acknowledged commit is lost and no walk is wrong'),
  proof('citus', 'On a Citus cluster the same holds, even while ontologies are moved and nodes are killed', [
    'packages/service/migrations/',
    'packages/service/src/postgres/',
    'packages/dev-database/',
  ]),
  waiting(proof('soak', 'Under mixed load, memory, connections, history and tables stop growing')),
  waiting(
    proof('alerts', 'Every alert fires when its condition is caused, and none fires while all is well', [
      'deploy/prometheus/',
      'packages/service/src/observe/',
    ]),
  ),
  proof(
    'overload',
    'Excess requests are refused quickly and fairly, and idle or slow connections cost little',
    ['packages/service/src/guard/admit/'],
  ),
  proof(
    'access',
    'Revoking a token or grant takes effect within a second, and a verified token costs little',
    ['packages/service/src/guard/auth/'],
  ),
  checker('access', 'No answer to a caller depends on objects that a policy hides from it', [
    'packages/service/src/guard/auth/',
    'packages/service/src/read/plan/',
  ]),
  checker('exports', 'An export that reports success is whole, however it was killed, damaged and resumed', [
    'packages/cli/src/export/',
  ]),
  checker(
    'jepsen',
    'Every read returns what was acknowledged, whatever is written and whatever fails meanwhile',
    sql,
  ),
  checker('fuzz', 'Whatever is sent, no answer is an internal error, and every error has the same shape', [
    'packages/service/src/http/',
    'packages/service/src/read/request/',
  ]),
  checker(
    'floods',
    'Whatever one caller sends, another one that sends one request at a time is soon served',
    ['packages/service/src/guard/admit/', 'packages/service/src/official-clients/'],
  ),
  checker(
    'kills',
    'A load, a replacement or a copy that reports success is complete and never torn, whatever was killed',
    ['packages/cli/src/load/', 'packages/cli/src/sync/', 'packages/service/src/write/bulk/'],
  ),
]
