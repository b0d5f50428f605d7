// What migrate does on the coordinator of a Citus cluster, and nowhere else.
import type { ClientBase } from 'pg'
import { hasCitus } from './has-citus.ts'
import { createImmutableCasts } from './immutable-casts.ts'
import { roleSettings } from './session-settings.ts'

/** Runs in the transaction of the migrations, before them. Returns whether this is a cluster. */
export async function prepareCitus(client: ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`select where ${hasCitus}`)
  if (rowCount === 0) return false
  const { rows } = await client.query<{ coordinator: boolean; alter: string }>(
    `select citus_is_coordinator() as coordinator, format('alter role %I in database %I', current_user, current_database()) as alter`,
  )
  const [found] = rows
  if (found?.coordinator !== true) {
    throw new Error('the server is a worker of a Citus cluster: database-url must lead to the coordinator')
  }
  // The registry is plain tables of the coordinator; each ontology is a distributed schema.
  await client.query('set local citus.enable_schema_based_sharding = off')
  for (const [name, value] of roleSettings) await client.query(`${found.alter} set ${name} = ${value}`)
  return true
}

/** Runs in the transaction of the migrations, after them. */
export async function finishCitus(client: ClientBase): Promise<void> {
  for (const statement of createImmutableCasts) await client.query(statement)
}
