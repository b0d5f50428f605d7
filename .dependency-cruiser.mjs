// The architecture, as rules. `npm run check:boundaries` runs them.

// The layers of the service, from the one that serves requests to the one that everything stands on. A layer may use those after it.
const layers = [
  'http',
  'manage',
  'upkeep',
  'write',
  'read',
  'catalog',
  'audit',
  'postgres',
  'guard',
  'workers',
  'observe',
  'config',
  'base',
]

// The parts of the service that can be left out (packages/service/src/wings.ts). Nothing knows them but that list.
const wings = ['agents', 'official-clients']

// A page request passes through these folders of read/ in this order.
// A stage may use what an earlier stage made; it never knows a later one.
const stages = ['request', 'token', 'plan', 'sql', 'rows', 'page', 'walk', 'serve']

// What each package may import from this repository.
const mayUse = {
  protocol: [],
  'pg-bytes': [],
  agents: ['protocol'], // not client: a tool asks whatever it is given, a service from inside or one over HTTP
  service: ['pg-bytes', 'protocol', 'agents', 'explorer'], // explorer only for where its built pages are
  client: ['protocol'],
  cli: ['client', 'protocol', 'agents', 'service', 'dev-database'], // service and dev-database only for serve, migrate, dev, demo
  explorer: ['client', 'protocol'],
  conformance: ['protocol'], // not client, not service: it must judge both
  'dev-database': [],
  model: ['protocol'], // not service: what it is compared with must not share code with it
}

const service = '^packages/service/src'
const anyOf = (names) => `(${names.join('|')})`
const inService = (names) => `${service}/${anyOf([names].flat())}/`
const inRead = (names) => `${service}/read/${anyOf([names].flat())}/`
const tests = '[.]test[.]ts$'
const exported = [
  '^packages/[^/]+/src/index[.]ts$',
  '^packages/dev-database/src/vitest(-global-setup)?[.]ts$',
  '^packages/service/src/config/options[.]ts$',
  '^packages/cli/src/main[.]ts$',
  '^packages/protocol/src/vocabulary[.]ts$',
]

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const layerOrder = layers
  .slice(1)
  .map((layer, i) =>
    rule(
      `${layer}-is-after-${layers[i]}`,
      `A layer may use only those after it: ${layers.join(' > ')}. Declare what you need where you need it, and let build-service pass it in.`,
      { path: inService(layer), pathNot: tests },
      { path: inService(layers.slice(0, i + 1)) },
    ),
  )

const stageOrder = stages
  .slice(0, -1)
  .map((stage, i) =>
    rule(
      `${stage}-comes-before-${stages[i + 1]}`,
      `A page request passes ${stages.join(' > ')}, and a stage knows only earlier ones. Move the shared part to the earlier stage, or to protocol.`,
      { path: inRead(stage) },
      { path: inRead(stages.slice(i + 1)) },
    ),
  )

const packageOrder = Object.entries(mayUse).map(([name, allowed]) =>
  rule(
    `${name}-uses-only-${allowed.join('-and-') || 'itself'}`,
    `See the table at the top of this file for what ${name} may import.`,
    { path: `^packages/${name}/(src|app)`, pathNot: tests },
    { path: '^packages/', pathNot: [name, ...allowed].map((p) => `^packages/${p}/`) },
  ),
)

export default {
  forbidden: [
    ...layerOrder,
    ...stageOrder,
    ...packageOrder,
    rule(
      'wings-can-be-left-out',
      'A wing is deleted with its folder and its line in wings.ts: nothing else may import it, tests included.',
      { path: '^(packages|tools|proofs)/', pathNot: [...wings.map(inService), `${service}/wings[.]ts$`] },
      { path: inService(wings) },
    ),
    rule(
      'wings-do-not-know-each-other',
      'A wing is used with and without the other ones.',
      { path: `${service}/${anyOf(wings)}/` },
      { path: inService(wings), pathNot: `${service}/$1/` },
    ),
    rule(
      'layers-do-not-know-who-builds-them',
      'The files beside the layers assemble the service. A layer declares what it needs from another, and they pass it in.',
      { path: `${service}/[^/]+/`, pathNot: tests },
      { path: `${service}/[^/]+[.]ts$` },
    ),
    rule(
      'pure-stages-stay-pure',
      'request, plan and sql are functions of their arguments: no clock, no files, no network.',
      { path: inRead(['request', 'plan', 'sql']), pathNot: tests },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'only-postgres-imports-the-driver',
      'One folder and one package own the driver, so its errors are translated in one place.',
      {
        path: '^packages/',
        pathNot: [inService('postgres'), '^packages/(pg-bytes|dev-database)/', '/test/', tests],
      },
      { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'only-readers-use-postgres',
      'Everyone else receives rows, a catalog or a snapshot.',
      {
        path: service,
        pathNot: [
          inService(['postgres', 'read/rows', 'catalog', 'write', 'upkeep', 'audit', 'manage']),
          `${service}/(build-service|open-store)[.]ts$`,
          tests,
        ],
      },
      { path: inService('postgres') },
    ),
    rule(
      'only-token-auth-and-digest-use-crypto',
      'Cryptography is reviewed in two folders; digests of contents, which involve no secret, are computed in a third.',
      { path: service, pathNot: [inService(['read/token', 'guard/auth', 'base/digest']), tests] },
      { path: '^(node:)?crypto$' },
    ),
    rule(
      'packages-by-their-name',
      'Import another package by its name, not by a path into its src.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/[^/]+/src/', pathNot: ['^packages/$1/', ...exported] },
    ),
    rule(
      'tools-use-what-is-exported',
      'Tools and proofs use what packages export, and what packages/*/test offers them.',
      { path: '^(tools|proofs)/' },
      { path: '^packages/[^/]+/src/', pathNot: exported },
    ),
    rule(
      'proofs-do-not-know-each-other',
      'What two proofs need belongs in proofs/harness. Nothing else imports a proof, and the harness knows none.',
      { path: '^(?:proofs|tools|packages)/([^/.]+)' },
      { path: '^proofs/', pathNot: ['^proofs/$1[/.]', '^proofs/harness/'] },
    ),
    rule(
      'code-does-not-use-test-support',
      'Published code cannot depend on test support.',
      { path: '^packages/[^/]+/src/', pathNot: tests },
      { path: '^packages/[^/]+/test/' },
    ),
    rule(
      'only-tests-use-the-model',
      'The model is what tests and proofs compare answers with. It is slow, and it is not published.',
      { path: '^packages/', pathNot: ['^packages/model/', '/test/', tests] },
      { path: '^packages/model/' },
    ),
    rule(
      'tests-are-not-imported',
      'Shared test support belongs in packages/*/test/support, or in dev-database.',
      {},
      { path: tests },
    ),
    rule('no-cycles', 'Two files that import each other are one file, or three.', {}, { circular: true }),
  ],
  /** Checked by tools/check/folder-cycles.ts, in the service, over its files without their tests. */
  folderCycles: {
    name: 'no-cycles-of-folders',
    comment: 'Two folders that import each other are one folder, or three.',
  },
  options: {
    exclude: { path: '/dist/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@octavo/source', 'import', 'types', 'default'],
    },
  },
}
