import type { DatabaseFacts, ServeOptions } from '@octavo/service'
import { judgeClock } from './check-clock.ts'
import { messageOf, ok, problem, warning, type Check, type Finding } from './finding.ts'

export const checkDatabase: Check = async ({ databaseUrl, options, context }) => {
  if (databaseUrl === undefined) return []
  const { inspectDatabase } = await import('@octavo/service')
  const before = context.now()
  try {
    const facts = await inspectDatabase(databaseUrl)
    return [
      ...judgeDatabase(facts, options),
      judgeClock('PostgreSQL', facts.clock, [before, context.now()]),
      ...judgeNodes(facts),
    ]
  } catch (error) {
    return [
      problem(
        'database',
        `it does not answer: ${messageOf(error)}`,
        'pg_isready --dbname "$OCTAVO_DATABASE_URL"',
      ),
    ]
  }
}

const oldest = 15

export function judgeDatabase(facts: DatabaseFacts, options: ServeOptions | undefined): readonly Finding[] {
  const { versionNumber, version, database, user, encoding, mayCreateSchemas, ownsSchema, fsync } = facts
  return [
    versionNumber >= oldest * 10_000
      ? ok('database', `PostgreSQL ${version}, database ${database}, user ${user}`)
      : problem('database', `PostgreSQL ${version} is too old`, `use PostgreSQL ${oldest} or later`),
    mayCreateSchemas && ownsSchema
      ? ok('rights', `${user} may create schemas`)
      : problem(
          'rights',
          mayCreateSchemas
            ? `${user} does not own the schema octavo`
            : `${user} may not create schemas in ${database}`,
          mayCreateSchemas
            ? `psql -d ${database} -c 'alter schema octavo owner to "${user}"'`
            : `psql -d ${database} -c 'grant create on database "${database}" to "${user}"'`,
        ),
    ...(encoding === 'UTF8'
      ? []
      : [
          problem(
            'encoding',
            `the database has the encoding ${encoding}`,
            `createdb --encoding UTF8 --template template0 ${database}2`,
          ),
        ]),
    fsync
      ? ok('settings', 'fsync is on')
      : problem(
          'settings',
          'fsync is off: a crash of the machine loses data',
          `psql -c 'alter system set fsync = on' -c 'select pg_reload_conf()'`,
        ),
    ...judgeConnections(facts, options),
    facts.missingMigrations.length === 0
      ? ok('migrations', 'the database is up to date')
      : problem('migrations', `${facts.missingMigrations.length} migrations are missing`, 'octavo migrate'),
  ]
}

/** For backups and people, as docs/run/operating.md says. */
const spareConnections = 10

function judgeConnections(
  { maxConnections }: DatabaseFacts,
  options: ServeOptions | undefined,
): readonly Finding[] {
  if (options === undefined) return []
  const used = options.workers * options.databasePoolSize
  const needed = used + spareConnections
  if (needed <= maxConnections) {
    return [ok('connections', `max_connections is ${maxConnections}; one instance opens up to ${used}`)]
  }
  return [
    (used > maxConnections ? problem : warning)(
      'connections',
      `max_connections is ${maxConnections}, but one instance may open ${used}, and ${spareConnections} should be left`,
      `psql -c 'alter system set max_connections = ${needed}'   (then restart PostgreSQL)`,
    ),
  ]
}

export function judgeNodes({ nodes, walLevel }: DatabaseFacts): readonly Finding[] {
  if (nodes === undefined) return []
  return [
    walLevel === 'logical'
      ? ok('citus', 'wal_level is logical, so ontologies can be moved')
      : warning(
          'citus',
          `wal_level is ${walLevel}, so no ontology can be moved`,
          `psql -c 'alter system set wal_level = logical'   (on each node; then restart PostgreSQL)`,
        ),
    ...nodes.map(({ address, isReachable }) =>
      isReachable
        ? ok('citus', `every node reaches ${address}`)
        : problem(
            'citus',
            `the node ${address} cannot be reached by all others`,
            `pg_isready --host ${address.replace(/:(\d+)$/, ' --port $1')}`,
          ),
    ),
  ]
}
