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

const guide = (name: string, given = ''): Page => ({ document: `docs/guides/${name}.md`, given })

const ordersFile = `printf 'Order ID,Total\\n1,12.50\\n2,8.00\\n' > orders.csv`
const otherToken = 'octavo token create --subject last-year --scope api:ontologies-read --json'
const schemas = 'psql -Atc "select rid, schema_name from octavo.ontologies"'
const databaseUrl = 'export OCTAVO_DATABASE_URL=postgres://octavo:PASSWORD@127.0.0.1:5432/octavo'

export const readings: readonly Reading[] = [
  {
    title: 'from zero to types of their own',
    pages: [guide('from-zero-to-your-own-data'), guide('declaring-types')],
  },
  {
    title: 'a new deployment, its access, audit and backup',
    pages: [
      guide('operations'),
      guide('access', otherToken),
      guide('running-behind-a-proxy', schemas),
      guide('capacity'),
      guide('key-rotation'),
      guide('backup-and-restore', databaseUrl),
    ],
  },
  {
    title: 'the command and its demo, loads into it and copies out of it',
    pages: [
      { document: 'packages/cli/README.md', given: ordersFile },
      guide('loading'),
      guide('copying'),
      guide('streaming'),
      guide('links'),
      guide('aggregates'),
      guide('official-clients'),
      guide('agents'),
      guide('keep-a-copy-in-sync'),
      guide('notebooks-and-pipelines'),
    ],
  },
  { title: 'the service alone', pages: [{ document: 'packages/service/README.md' }] },
  { title: 'the first steps of a contributor', pages: [{ document: 'CONTRIBUTING.md' }] },
]
