// What is done on each node of a Citus cluster at the same time, or on the only server.
import { escapeIdentifier, type Client } from 'pg'
import { withClient } from './with-client.ts'

export async function onEach(
  serverUrls: readonly string[],
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  await Promise.all(serverUrls.map((url) => withClient(url, work)))
}

export const dropDatabase = (serverUrls: readonly string[], name: string): Promise<void> =>
  onEach(serverUrls, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`),
  )
