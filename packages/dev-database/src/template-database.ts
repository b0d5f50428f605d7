import { randomBytes } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { isSharedDatabase } from './shared-database.ts'
import type { TemplateFacts } from './template-facts.ts'
import { withClient } from './with-client.ts'

/** Brings an empty database to the state that every test starts from, e.g. by migrating it. */
export type Prepare = (url: string) => Promise<void>

export type TemplateDatabase = {
  /** Everything that another process needs to clone it, as plain data. */
  readonly facts: TemplateFacts
  /** Drops the template and every remaining database cloned from it. */
  readonly drop: () => Promise<void>
}

/** Prepares a database once, so that `freshDatabase` can return copies of it. */
export async function templateDatabase(
  server: { readonly url: string } | string,
  prepare: Prepare,
): Promise<TemplateDatabase> {
  const serverUrl = typeof server === 'string' ? server : server.url
  if (await isSharedDatabase(serverUrl)) {
    return { facts: { kind: 'shared', serverUrl }, drop: async () => {} }
  }
  // Random, so that two test runs on one server do not collide.
  const prefix = `octavo_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  const drop = () => dropDatabases(serverUrl, prefix)
  try {
    await withClient(serverUrl, (client) =>
      client.query(`CREATE DATABASE ${escapeIdentifier(template)} TEMPLATE template0`),
    )
    await prepare(databaseUrl(serverUrl, template))
    await withClient(serverUrl, async (client) => {
      // PostgreSQL does not copy a database that has connections.
      await client.query(`ALTER DATABASE ${escapeIdentifier(template)} ALLOW_CONNECTIONS false`)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        template,
      ])
    })
  } catch (error) {
    await drop()
    throw error
  }
  return { facts: { kind: 'template', serverUrl, template, prefix }, drop }
}

/** The same server and user, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${encodeURIComponent(name)}`
  return url.href
}

async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`${prefix}_`],
    )
    for (const { datname } of rows) {
      await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(datname)} WITH (FORCE)`)
    }
  })
}
