import { randomBytes } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { citusNodes, createCitusDatabase } from './citus-database.ts'
import { databaseUrl } from './database-url.ts'
import { dropDatabase, onEach } from './on-each.ts'
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

/**
 * Prepares a database once, so that `freshDatabase` can return copies of it. If the server is the coordinator of a Citus
 * cluster, every node has the template and the copies: what a node knows of the others is copied with the rest.
 */
export async function templateDatabase(
  server: { readonly url: string } | string,
  prepare: Prepare,
): Promise<TemplateDatabase> {
  const serverUrl = typeof server === 'string' ? server : server.url
  const nodes = await citusNodes(serverUrl)
  const serverUrls = nodes.length === 0 ? [serverUrl] : nodes
  // Random, so that two test runs on one server do not collide.
  const prefix = `octavo_test_${randomBytes(4).toString('hex')}`
  const template = `${prefix}_template`
  const drop = () => dropDatabases(serverUrls, prefix)
  try {
    if (nodes.length === 0) {
      await onEach(serverUrls, (client) =>
        client.query(`CREATE DATABASE ${escapeIdentifier(template)} TEMPLATE template0`),
      )
    } else {
      await createCitusDatabase(serverUrls, template)
    }
    await prepare(databaseUrl(serverUrl, template))
    await onEach(serverUrls, async (client) => {
      // PostgreSQL does not copy a database that has connections.
      await client.query(`ALTER DATABASE ${escapeIdentifier(template)} ALLOW_CONNECTIONS false`)
      await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
        template,
      ])
    })
  } catch (error) {
    await drop()
    throw error
  }
  return { facts: { serverUrls, template, prefix }, drop }
}

async function dropDatabases(serverUrls: readonly string[], prefix: string): Promise<void> {
  const { rows } = await withClient(serverUrls[0] ?? '', (client) =>
    client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      `${prefix}_`,
    ]),
  )
  for (const { datname } of rows) await dropDatabase(serverUrls, datname)
}
