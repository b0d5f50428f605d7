/** A document, and the commands that make what its reader has at hand. */
export interface Page {
  readonly document: string
  readonly given?: string
}

/** Documents in an order in which they are read, each with what the ones before have left. */
export interface Reading {
  readonly title: string
  readonly pages: readonly Page[]
}

/** A page of a shelf of docs/. */
const guide = (path: string, given = ''): Page => ({ document: `docs/${path}.md`, given })

const ordersFile = `printf 'Order ID,Total\\n1,12.50\\n2,8.00\\n' > orders.csv`
const otherToken = 'octavo token create --subject last-year --scope api:ontologies-read --json'
const schemas = 'psql -Atc "select rid, schema_name from octavo.ontologies"'
const databaseUrl = 'export OCTAVO_DATABASE_URL=postgres://octavo:PASSWORD@127.0.0.1:5432/octavo'

/** Their commands are for one line of a terminal; what is a block is SQL, which runs here. */
const runbooksWithSql = [
  'OctavoAuditIncomplete',
  'OctavoDatabaseUnreachable',
  'OctavoHistoryLarge',
  'OctavoOverloaded',
  'OctavoPagesSlow',
  'OctavoPoolExhausted',
  'OctavoPruningStuck',
  'OctavoReplicaBehind',
  'OctavoSnapshotsGone',
]

export const readings: readonly Reading[] = [
  {
    title: 'from zero to types of their own',
    pages: [guide('start/your-own-data'), guide('load/declaring-types')],
  },
  {
    title: 'a new deployment, its access, audit and backup',
    pages: [
      guide('run/installing'),
      guide('run/access', `${otherToken}\n${schemas}`),
      guide('run/operating'),
      guide('run/backup-and-restore', databaseUrl),
      ...runbooksWithSql.map((name) => guide(`run/runbooks/${name}`)),
    ],
  },
  {
    title: 'the command and its demo, loads into it and copies out of it',
    pages: [
      { document: 'packages/cli/README.md', given: ordersFile },
      guide('load/loading'),
      guide('read/all-objects'),
      guide('build/searching'),
      guide('build/official-clients'),
      guide('build/agents'),
      guide('copy/keep-a-copy'),
      guide('copy/notebooks-and-pipelines'),
    ],
  },
  { title: 'the service alone', pages: [{ document: 'packages/service/README.md' }] },
  { title: 'the first steps of a contributor', pages: [{ document: 'CONTRIBUTING.md' }] },
]
