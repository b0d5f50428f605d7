// For each rule of .dependency-cruiser.mjs, the smallest change that breaks it: files to add to a copy of the repository.
// Their names are made of the rule's, so that one copy holds all of them and each violation tells whose it is.

/** The files of a rule's breakage, where the one that breaks it has that name. */
export type Breakage = (name: string) => Readonly<Record<string, string>>

const service = 'packages/service/src'
const importing = (path: string) => `import { thing } from '${path}'\nexport const other = thing\n`
const thing = 'export const thing = 1\n'

const inService =
  (from: string, to: string): Breakage =>
  (name) => ({
    [`${service}/${from}/${name}.ts`]: importing(`../${to}/${name}-target.ts`),
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
  'auth-comes-before-request': inService('auth', 'request'),
  'request-comes-before-token': inService('request', 'token'),
  'token-comes-before-plan': inService('token', 'plan'),
  'plan-comes-before-sql': inService('plan', 'sql'),
  'sql-comes-before-rows': inService('sql', 'rows'),
  'rows-comes-before-page': inService('rows', 'page'),
  'protocol-uses-only-itself': betweenPackages('protocol', 'client'),
  'pg-bytes-uses-only-itself': betweenPackages('pg-bytes', 'protocol'),
  'service-uses-only-pg-bytes-and-protocol': betweenPackages('service', 'client'),
  'client-uses-only-protocol': betweenPackages('client', 'service'),
  'cli-uses-only-client-and-protocol-and-service-and-dev-database': betweenPackages('cli', 'conformance'),
  'explorer-uses-only-client-and-protocol': betweenPackages('explorer', 'service'),
  'conformance-uses-only-protocol': betweenPackages('conformance', 'client'),
  'dev-database-uses-only-itself': betweenPackages('dev-database', 'protocol'),
  'stages-do-not-know-http': inService('plan', 'http'),
  'pure-stages-stay-pure': fileInService(
    'sql',
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
  'tests-are-not-imported': (name) => ({
    [`${service}/plan/${name}.ts`]: importing(`./${name}-target.test.ts`),
    [`${service}/plan/${name}-target.test.ts`]: thing,
  }),
  'no-cycles': (name) => ({
    [`${service}/plan/${name}.ts`]: importing(`./${name}-target.ts`),
    [`${service}/plan/${name}-target.ts`]: `import { other } from './${name}.ts'\nexport const thing = () => other\n`,
  }),
}
