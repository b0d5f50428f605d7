// Loads of people, and everything that they leave: for tests of loads.
import { Client } from 'pg'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { TestStore } from './open-test-store.ts'
import type { FinishRequest } from '../../src/write/bulk/finish-load.ts'
import { gatherRows } from '../../src/write/bulk/load-rows.ts'
import { putObject } from './put-object.ts'
import { readWalk } from './read-walk.ts'
import { snapshotAt } from './snapshot-at.ts'

type Person = Readonly<Record<string, unknown>>

export const person = (employeeId: string, age = 1): Person => ({
  employeeId,
  age,
  badge: '1',
  fullName: `Ada "${employeeId}"\t\\N\nü`,
  tags: ['a\\b', '{"x"}', '\r'],
  names: [{ firstName: 'Ada' }],
})

export const people = (count: number, age = 1): readonly Person[] =>
  Array.from({ length: count }, (_, i) => person(`k${String(i).padStart(5, '0')}`, age))

/** `now` gives the store and the type of the test that runs. */
export function peopleInLoads(now: () => { readonly store: TestStore; readonly type: ObjectType }) {
  const ways = new Map<string, 'table'>()
  const rows = (text: string, values: readonly string[] = []) => now().store.database.rows({ text, values })

  const sendPart = async (load: string, part: number, objects: readonly Person[], digest = String(part)) => {
    const { store, type } = now()
    const changes = objects.map((object) => putObject(type, object))
    return store.loads.addPart(type, load, {
      part: String(part),
      digest,
      ...(await gatherRows([{ type, changes }])),
    })
  }

  const contents = async (version?: string): Promise<readonly Person[]> => {
    const { store, type } = now()
    const walk = await readWalk({
      readPage: store.readPage,
      type,
      pageSize: () => 700,
      ...(version !== undefined && { at: await snapshotAt(store, type, version) }),
    })
    return walk.objects.map(({ properties }) => properties)
  }

  return {
    rows,
    sendPart,
    contents,
    begin: (replaces = false) => now().store.loads.begin(now().type, { replaces }),
    /** The way is whether its table became that of the type, or its rows were written into what the type had. */
    finish: async (load: string, { afterStep, ...more }: Partial<FinishRequest> = {}) => {
      const receipt = await now().store.loads.finish({
        type: now().type,
        load,
        ...more,
        afterStep: async (step) => {
          if (step === 'recorded') ways.set(load, 'table')
          await afterStep?.(step)
        },
      })
      return { ...receipt, way: ways.get(load) ?? 'rows' }
    },
    put: (...objects: readonly Person[]) => {
      const { store, type } = now()
      return store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] })
    },
    agesByKey: async (version?: string) =>
      Object.fromEntries((await contents(version)).map(({ employeeId, age }) => [employeeId, age])),

    /** Everything that PostgreSQL knows of the table by name, however it was made. */
    structure: async (of: ObjectType) => {
      const table = of.tables.current.split('.')
      return {
        columns: await rows(
          `select column_name, data_type, collation_name, is_nullable, column_default from information_schema.columns
where table_schema = $1 and table_name = $2 order by column_name`,
          table,
        ),
        indexes: (
          await rows(
            `select indexdef from pg_indexes where schemaname = $1 and tablename = $2 order by 1`,
            table,
          )
        ).map(({ indexdef }) => indexdef?.replaceAll(of.schema, 'S')),
        constraints: await rows(
          `select conname, contype from pg_constraint where conrelid = $1::regclass and contype <> 'n' order by 1`,
          [of.tables.current],
        ),
        options: await rows(`select reloptions from pg_class where oid = $1::regclass`, [of.tables.current]),
      }
    },
    tablesOfLoads: () =>
      rows(
        `select relname from pg_class c join pg_namespace n on n.oid = relnamespace
where nspname = $1 and relkind = 'r' and relname ~ '^load_[0-9a-f]'`,
        [now().type.schema],
      ),
  }
}

/** Ends all connections of services, as a server does that is shut down. */
export async function endConnections(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and application_name = 'octavo'`,
  )
  await client.end()
}
