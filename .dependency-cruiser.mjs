// The architecture, as rules. `npm run check:boundaries` runs them.

// One page request passes through these folders in this order.
// A stage may use what an earlier stage made; it never knows a later one.
const stages = ['auth', 'request', 'token', 'plan', 'sql', 'rows', 'page']

// What each package may import from this repository.
const mayUse = {
  protocol: [],
  'pg-bytes': [],
  service: ['pg-bytes', 'protocol'],
  client: ['protocol'],
  cli: ['client', 'protocol', 'service', 'dev-database'], // service and dev-database only for serve, migrate, dev, demo
  explorer: ['client', 'protocol'],
  conformance: ['protocol'], // not client, not service: it must judge both
  'dev-database': [],
}

const service = '^packages/service/src'
const anyOf = (names) => `(${names.join('|')})`
const inService = (names) => `${service}/${anyOf([names].flat())}/`
const tests = '[.]test[.]ts$'
const testSupport = '^packages/[^/]+/src/testing/' // helps tests, is not published

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const stageOrder = stages
  .slice(0, -1)
  .map((stage, i) =>
    rule(
      `${stage}-comes-before-${stages[i + 1]}`,
      `A page request goes ${stages.join(' > ')}. Move the shared part to the earlier stage, or to protocol.`,
      { path: inService(stage) },
      { path: inService(stages.slice(i + 1)) },
    ),
  )

const packageOrder = Object.entries(mayUse).map(([name, allowed]) =>
  rule(
    `${name}-uses-only-${allowed.join('-and-') || 'itself'}`,
    `See the table at the top of this file for what ${name} may import.`,
    { path: `^packages/${name}/src`, pathNot: [tests, testSupport] },
    { path: '^packages/', pathNot: [name, ...allowed].map((p) => `^packages/${p}/`) },
  ),
)

export default {
  forbidden: [
    ...stageOrder,
    ...packageOrder,
    rule(
      'stages-do-not-know-http',
      'A stage takes and returns plain values; only http/ knows requests and replies.',
      { path: inService(stages) },
      { path: [inService('http'), `${service}/(serve-page|build-service|main)[.]ts$`] },
    ),
    rule(
      'pure-stages-stay-pure',
      'request, plan and sql are functions of their arguments: no clock, no files, no network.',
      { path: inService(['request', 'plan', 'sql']), pathNot: [tests, testSupport] },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'only-postgres-imports-the-driver',
      'One folder owns the driver, so its errors are translated in one place.',
      { path: '^packages/', pathNot: [inService('postgres'), '^packages/(pg-bytes|dev-database)/', tests] },
      { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'only-readers-use-postgres',
      'Everyone else receives rows, a catalog or a snapshot.',
      {
        path: service,
        pathNot: [
          inService(['postgres', 'rows', 'catalog', 'commit', 'snapshot', 'audit', 'manage', 'measure']),
          `${service}/(build-service|open-store)[.]ts$`,
          tests,
        ],
      },
      { path: inService('postgres') },
    ),
    rule(
      'only-token-auth-and-digest-use-crypto',
      'Cryptography is reviewed in two folders; digests of contents, which keep no secret, are made in a third.',
      { path: service, pathNot: [inService(['token', 'auth', 'digest']), tests] },
      { path: '^(node:)?crypto$' },
    ),
    rule(
      'packages-by-their-name',
      'Import another package by its name, not by a path into its src.',
      { path: '^packages/([^/]+)/' },
      {
        path: '^packages/[^/]+/src/',
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/src/index[.]ts$',
          '^packages/dev-database/src/vitest(-global-setup)?[.]ts$',
          '^packages/service/src/config/options[.]ts$',
        ],
      },
    ),
    rule(
      'tests-are-not-imported',
      'Shared test support belongs in dev-database or a file without .test in its name.',
      {},
      { path: tests },
    ),
    rule('no-cycles', 'Two files that import each other are one file, or three.', {}, { circular: true }),
  ],
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
