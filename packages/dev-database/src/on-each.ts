// Runs work on each node of a Citus cluster at the same time, or on the only server.
import { DatabaseError, escapeIdentifier, type Client } from 'pg'
import { withClient } from './with-client.ts'

export async function onEach(
  serverUrls: readonly string[],
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  await Promise.all(serverUrls.map((url) => withClient(url, work)))
}

export const dropDatabase = (serverUrls: readonly string[], name: string): Promise<void> =>
  onEach(serverUrls, (client) => dropPatiently(client, name))

const objectInUse = '55006'
const mostTries = 5

/** PostgreSQL waits five seconds for sessions to end. Citus may meanwhile have started its daemon in the database again. */
async function dropPatiently(client: Client, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`)
      return
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === objectInUse
      if (!isInUse || tries === mostTries) throw error
    }
  }
}
