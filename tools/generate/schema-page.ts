// packages/service/schema.sql: what the migrations and the catalog create, read back from a real database. Written from the
// system catalog and not by pg_dump, whose text differs between versions of PostgreSQL.
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Store } from '../../packages/service/test/inside.ts'
import { employeeDefinition } from '../../packages/service/test/support/employee.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'

const header = `-- The tables of Octavo, as PostgreSQL has them after all migrations: the registry (octavo), and one ontology
-- (octavo_example) whose object type 1 is that of packages/service/test/support/employee.ts.
-- This file is generated and never run; change the migrations or catalog/ and run \`npm run generate\`.
`

export async function schemaPage(): Promise<string> {
  // Always our own server, whatever server the tests run on: the generated file must not depend on it.
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = openTestStore(
      { databaseUrl: cluster.url, databasePoolSize: 1 },
      // The name of the schema is derived from it.
      { randomHex: () => 'example' },
    )
    try {
      const ontology = await store.applyOntology({ apiName: 'example', displayName: 'Example' })
      await store.applyObjectType(ontology, employeeDefinition)
      return `${header}${(await describeTables(store)).join('')}`
    } finally {
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}

async function describeTables({ database }: Store): Promise<readonly string[]> {
  const rows = await database.transaction(async (transaction) => {
    // So that every name is written with its schema.
    await transaction.run("set local search_path = ''")
    return transaction.rows({ text: tables, values: [] })
  })
  return rows.map(({ name, options, columns, constraints, indexes, triggers }) => {
    const members = [columns, constraints].filter((text) => text !== null).map((text) => `  ${text}`)
    const end = options === null ? ')' : `) with (${options})`
    return `\ncreate table ${name} (\n${members.join(',\n')}\n${end};\n${indexes ?? ''}${triggers ?? ''}`
  })
}

// Columns and indexes in order of creation; constraints by kind and name.
const tables = `
select c.oid::regclass::text as name, array_to_string(c.reloptions, ', ') as options,
  (select string_agg(format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation not in (0, 100) then format(' collate %I', l.collname) end,
      case when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) end,
      case when a.attnotnull then ' not null' end), E',\\n  ' order by a.attnum)
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  (select string_agg(pg_get_constraintdef(k.oid), E',\\n  ' order by k.contype <> 'p', k.contype, k.conname)
    from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')) as constraints,
  (select string_agg(pg_get_indexdef(i.indexrelid) || E';\\n', '' order by x.oid)
    from pg_index i join pg_class x on x.oid = i.indexrelid
    where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))) as indexes,
  (select string_agg(pg_get_triggerdef(t.oid) || E';\\n', '' order by t.tgname)
    from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname in ('octavo', 'octavo_example')
order by n.nspname, c.relname`
