// A database of a Citus cluster is one database on every node, each with the extension. The coordinator knows the others.
import { escapeIdentifier, type Client } from 'pg'
import { databaseUrl } from './database-url.ts'
import { withClient } from './with-client.ts'

/** `serverUrls` lead to any database of each node, that of the coordinator first. */
export async function createCitusDatabase(serverUrls: readonly string[], name: string): Promise<void> {
  await Promise.all(serverUrls.map((url) => createOnNode(url, name)))
  const [coordinator = '', ...workers] = serverUrls.map((url) => databaseUrl(url, name))
  const { hostname, port } = new URL(coordinator)
  await withClient(coordinator, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const worker of workers) await addNode(client, worker)
  })
}

export async function addWorkerToDatabase(
  coordinatorUrl: string,
  workerUrl: string,
  name: string,
): Promise<void> {
  await createOnNode(workerUrl, name)
  await withClient(databaseUrl(coordinatorUrl, name), (client) => addNode(client, workerUrl))
}

/** The URLs of all nodes with the coordinator first; none if the database is not that of a coordinator. */
export async function citusNodes(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'")
    if (rowCount === 0) return []
    const { rows } = await client.query<{ nodename: string; nodeport: number }>(
      "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
    )
    return rows.map(({ nodename, nodeport }) => {
      const node = new URL(url)
      node.hostname = nodename
      node.port = String(nodeport)
      return node.href
    })
  })
}

async function createOnNode(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE template0`),
  )
  const { username, password } = new URL(serverUrl)
  await withClient(databaseUrl(serverUrl, name), async (client) => {
    await client.query('CREATE EXTENSION citus')
    // The nodes connect to each other as the same user, with the same password.
    await client.query('INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo) VALUES (0, $1, $2)', [
      decodeURIComponent(username),
      `password=${decodeURIComponent(password)}`,
    ])
  })
}

async function addNode(client: Client, workerUrl: string): Promise<void> {
  const { hostname, port } = new URL(workerUrl)
  await client.query('SELECT citus_add_node($1, $2)', [hostname, Number(port)])
}
