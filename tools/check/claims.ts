// A claim is one sentence and a command that fails if it is not true.

export interface Claim {
  readonly name: string
  readonly claim: string
  readonly command: readonly string[]
  /** Counts its own tests: the command writes a vitest JSON report to the file in OCTAVO_TEST_REPORT. */
  readonly countsTests?: boolean
  /** Skipped by `npm run check -- --quick`. */
  readonly slow?: boolean
  /** Takes minutes but mostly waits: such claims run in parallel, after all others. */
  readonly waits?: boolean
}

const source = ['node', '--conditions=@octavo/source']
/** The native compiler, several times as fast. TypeScript 6 stays for tools that need its API. */
const compiler = ['node', 'node_modules/typescript-7/bin/tsc']
const proof = (name: string, claim: string): Claim => ({
  name: `prove:${name}`,
  claim,
  command: [...source, `tools/prove-${name}.ts`, '--short'],
  slow: true,
})
const waiting = (claim: Claim): Claim => ({ ...claim, waits: true })

export const claims: readonly Claim[] = [
  {
    name: 'format',
    claim: 'Every file is formatted',
    command: ['prettier', '--check', '--cache', '--cache-strategy=content', '--log-level=warn', '.'],
  },
  { name: 'lint', claim: 'Lint finds nothing', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', claim: 'The types are correct', command: [...compiler, '-p', '.'] },
  {
    name: 'types-explorer',
    claim: 'The types of the explorer are correct',
    command: [...compiler, '-p', 'packages/explorer/app'],
  },
  {
    name: 'boundaries',
    claim: 'The architecture rules hold',
    command: [...source, 'tools/check-boundaries.ts'],
  },
  { name: 'unused', claim: 'No code and no dependency is unused', command: ['knip'] },
  {
    name: 'generated',
    claim: 'Generated files are in sync with their source',
    command: [...source, 'tools/generate.ts', '--check'],
  },
  {
    name: 'build',
    claim: 'The published packages build',
    command: [...compiler, '-b', 'tsconfig.build.json'],
  },
  {
    name: 'packages',
    claim: 'The published packages are complete, and work in an empty project',
    command: [...source, 'tools/check-packages.ts'],
    slow: true,
  },
  { name: 'tests', claim: 'Tests pass', command: ['vitest', 'run'], countsTests: true, slow: true },
  {
    name: 'postgres-18',
    claim: 'The tests of folders that use SQL also pass on the newest PostgreSQL, 18',
    command: [...source, 'tools/check-postgres.ts', '--short', '18'],
    slow: true,
  },
  proof('workspace', 'A newcomer can start it from a fresh clone, and is told what to set'),
  proof('first-hour', 'On a machine with Node alone, one line starts it and gives a first page'),
  proof(
    'store',
    'Snapshot walks are exact, a crash loses nothing, and a deep page costs what the first costs',
  ),
  proof('search', 'Every query finds what a plain search finds, and a page costs what its rows cost'),
  proof(
    'points',
    'A snapshot token names one state of several types, and a checksum proves what was read in it',
  ),
  proof('changes', 'What is told as changed since a state makes a copy of it equal to a later one'),
  proof(
    'links',
    'What links lead to and what aggregates tell is what a plain computation says, in one state',
  ),
  proof(
    'explorer',
    'The explorer is small and private, shows what the service gives and nothing else, and stays quick over many rows',
  ),
  proof('pages', 'Bad input does no harm, large pages use bounded memory, and every clause has a test'),
  proof('load', 'Loading a file ends with exactly its objects, whatever is killed on the way'),
  proof(
    'client',
    'The client never loses data silently, and the conformance kit tells right servers from wrong ones',
  ),
  proof(
    'official-clients',
    'The official clients of the API family read every object, unmodified, under writers and through restarts',
  ),
  {
    name: 'prove:speed',
    claim: 'A page is one statement that reads few blocks, and all contestants return the right pages',
    command: [...source, 'bench/prove-speed.ts', '--short'],
    slow: true,
  },
  {
    name: 'prove:lost',
    claim: 'While others write, a snapshot walk loses nothing, and walks without a snapshot do',
    command: [...source, 'bench/prove-lost.ts', '--short'],
    slow: true,
  },
  proof('rolling', 'Three instances are restarted in turn under load, and no request fails'),
  proof('faults', 'Whatever is killed or disconnected, no acknowledged commit is lost and no walk is wrong'),
  proof('citus', 'On a Citus cluster the same holds, even while ontologies are moved and nodes are killed'),
  waiting(proof('soak', 'Under mixed load, memory, connections, history and tables stop growing')),
  waiting(
    proof('alerts', 'Every alert fires when its condition is caused, and none fires while all is well'),
  ),
  proof(
    'overload',
    'Excess requests are refused quickly and fairly, and idle or slow connections cost little',
  ),
  proof(
    'access',
    'Callers see only what they may see, and revoking a token or grant takes effect within a second',
  ),
]
