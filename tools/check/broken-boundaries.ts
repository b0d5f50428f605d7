// For each rule of .dependency-cruiser.mjs, the smallest change that breaks it: files to add to a copy of the repository.

export type Breakage = Readonly<Record<string, string>>

const service = 'packages/service/src'
const importing = (path: string) => `import { thing } from '${path}'\nexport const other = thing\n`
const thing = 'export const thing = 1\n'

const inService = (from: string, to: string): Breakage => ({
  [`${service}/${from}/broken.ts`]: importing(`../${to}/broken-target.ts`),
  [`${service}/${to}/broken-target.ts`]: thing,
})

const betweenPackages = (from: string, to: string): Breakage => ({
  [`packages/${from}/src/broken.ts`]: importing(`../../${to}/src/index.ts`),
  [`packages/${to}/src/index.ts`]: thing,
})

export const brokenBoundaries: Readonly<Record<string, Breakage>> = {
  'auth-comes-before-request': inService('auth', 'request'),
  'request-comes-before-token': inService('request', 'token'),
  'token-comes-before-plan': inService('token', 'plan'),
  'plan-comes-before-sql': inService('plan', 'sql'),
  'sql-comes-before-rows': inService('sql', 'rows'),
  'rows-comes-before-page': inService('rows', 'page'),
  'protocol-uses-only-itself': betweenPackages('protocol', 'client'),
  'service-uses-only-protocol': betweenPackages('service', 'client'),
  'client-uses-only-protocol': betweenPackages('client', 'service'),
  'cli-uses-only-client-and-protocol-and-service-and-dev-database': betweenPackages('cli', 'conformance'),
  'explorer-uses-only-client-and-protocol': betweenPackages('explorer', 'service'),
  'conformance-uses-only-protocol': betweenPackages('conformance', 'client'),
  'dev-database-uses-only-itself': betweenPackages('dev-database', 'protocol'),
  'stages-do-not-know-http': inService('plan', 'http'),
  'pure-stages-stay-pure': {
    [`${service}/sql/broken.ts`]:
      "import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x')\n",
  },
  'only-postgres-imports-the-driver': {
    [`${service}/http/broken.ts`]: "import pg from 'pg'\nexport const client = new pg.Client()\n",
  },
  'only-readers-use-postgres': inService('http', 'postgres'),
  'only-token-auth-and-digest-use-crypto': {
    [`${service}/http/broken.ts`]:
      "import { randomBytes } from 'node:crypto'\nexport const some = randomBytes(1)\n",
  },
  'packages-by-their-name': {
    'packages/service/src/http/broken.ts': importing('../../../protocol/src/broken-target.ts'),
    'packages/protocol/src/broken-target.ts': thing,
  },
  'tests-are-not-imported': {
    [`${service}/plan/broken.ts`]: importing('./broken-target.test.ts'),
    [`${service}/plan/broken-target.test.ts`]: thing,
  },
  'no-cycles': {
    [`${service}/plan/broken.ts`]: importing('./broken-target.ts'),
    [`${service}/plan/broken-target.ts`]:
      "import { other } from './broken.ts'\nexport const thing = () => other\n",
  },
}
