// For each rule of .dependency-cruiser.mjs, the smallest change that breaks it: files to add to a copy of the repository.
// Their names contain the rule's name, so that one copy holds all of them and each violation shows its rule.

/** The files that break a rule; the file that breaks it has this name. */
export type Breakage = (name: string) => Readonly<Record<string, string>>

const service = 'packages/service/src'
const importing = (path: string) => `import { thing } from '${path}'\nexport const other = thing\n`
const thing = 'export const thing = 1\n'

const inService =
  (from: string, to: string): Breakage =>
  (name) => ({
    [`${service}/${from}/${name}.ts`]: importing(
      `${'../'.repeat(from.split('/').length)}${to}/${name}-target.ts`,
    ),
    [`${service}/${to}/${name}-target.ts`]: thing,
  })

const betweenPackages =
  (from: string, to: string): Breakage =>
  (name) => ({
    [`packages/${from}/src/${name}.ts`]: importing(`../../${to}/src/${name}-target.ts`),
    [`packages/${to}/src/${name}-target.ts`]: thing,
  })

const fileInService =
  (folder: string, text: string): Breakage =>
  (name) => ({ [`${service}/${folder}/${name}.ts`]: text })

export const brokenBoundaries: Readonly<Record<string, Breakage>> = {
  'manage-is-after-http': inService('manage', 'http'),
  'upkeep-is-after-manage': inService('upkeep/prune', 'manage'),
  'write-is-after-upkeep': inService('write/commit', 'upkeep/prune'),
  'read-is-after-write': inService('read/rows', 'write/commit'),
  'catalog-is-after-read': inService('catalog', 'read/plan'),
  'audit-is-after-catalog': inService('audit', 'catalog'),
  'postgres-is-after-audit': inService('postgres', 'audit'),
  'guard-is-after-postgres': inService('guard/auth', 'catalog'),
  'workers-is-after-guard': inService('workers', 'guard/tls'),
  'observe-is-after-workers': inService('observe', 'workers'),
  'config-is-after-observe': inService('config', 'observe'),
  'base-is-after-config': inService('base/errors', 'config'),
  'request-comes-before-token': inService('read/request', 'read/token'),
  'token-comes-before-plan': inService('read/token', 'read/plan'),
  'plan-comes-before-sql': inService('read/plan', 'read/sql'),
  'sql-comes-before-rows': inService('read/sql', 'read/rows'),
  'rows-comes-before-page': inService('read/rows', 'read/page'),
  'protocol-uses-only-itself': betweenPackages('protocol', 'client'),
  'pg-bytes-uses-only-itself': betweenPackages('pg-bytes', 'protocol'),
  'agents-uses-only-protocol': betweenPackages('agents', 'client'),
  'service-uses-only-pg-bytes-and-protocol-and-agents-and-explorer': betweenPackages('service', 'client'),
  'client-uses-only-protocol': betweenPackages('client', 'service'),
  'cli-uses-only-client-and-protocol-and-agents-and-service-and-dev-database': betweenPackages(
    'cli',
    'conformance',
  ),
  'explorer-uses-only-client-and-protocol': betweenPackages('explorer', 'service'),
  'conformance-uses-only-protocol': betweenPackages('conformance', 'client'),
  'dev-database-uses-only-itself': betweenPackages('dev-database', 'protocol'),
  'model-uses-only-protocol': betweenPackages('model', 'client'),
  'page-comes-before-walk': inService('read/page', 'read/walk'),
  'walk-comes-before-serve': inService('read/walk', 'read/serve'),
  'wings-can-be-left-out': inService('http', 'official-clients'),
  'wings-do-not-know-each-other': inService('agents', 'official-clients'),
  'layers-do-not-know-who-builds-them': (name) => ({
    [`${service}/http/${name}.ts`]: importing(`../${name}-target.ts`),
    [`${service}/${name}-target.ts`]: thing,
  }),
  'pure-stages-stay-pure': fileInService(
    'read/sql',
    "import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x')\n",
  ),
  'only-postgres-imports-the-driver': fileInService(
    'http',
    "import pg from 'pg'\nexport const client = new pg.Client()\n",
  ),
  'only-readers-use-postgres': inService('http', 'postgres'),
  'only-token-auth-and-digest-use-crypto': fileInService(
    'http',
    "import { randomBytes } from 'node:crypto'\nexport const some = randomBytes(1)\n",
  ),
  'packages-by-their-name': (name) => ({
    [`${service}/http/${name}.ts`]: importing(`../../../protocol/src/${name}-target.ts`),
    [`packages/protocol/src/${name}-target.ts`]: thing,
  }),
  'tools-use-what-is-exported': (name) => ({
    [`tools/check/${name}.ts`]: importing(`../../${service}/http/${name}-target.ts`),
    [`${service}/http/${name}-target.ts`]: thing,
  }),
  'proofs-do-not-know-each-other': (name) => ({
    [`proofs/store/${name}.ts`]: importing(`../search/${name}-target.ts`),
    [`proofs/search/${name}-target.ts`]: thing,
  }),
  'code-does-not-use-test-support': (name) => ({
    [`${service}/http/${name}.ts`]: importing(`../../test/support/${name}-target.ts`),
    [`packages/service/test/support/${name}-target.ts`]: thing,
  }),
  'only-tests-use-the-model': betweenPackages('client', 'model'),
  'tests-are-not-imported': (name) => ({
    [`${service}/read/plan/${name}.ts`]: importing(`./${name}-target.test.ts`),
    [`${service}/read/plan/${name}-target.test.ts`]: thing,
  }),
  'no-cycles': (name) => ({
    [`${service}/read/plan/${name}.ts`]: importing(`./${name}-target.ts`),
    [`${service}/read/plan/${name}-target.ts`]: `import { other } from './${name}.ts'\nexport const thing = () => other\n`,
  }),
  'no-cycles-of-folders': inService('catalog', 'catalog/filter'),
}
