// The database of the service: one server, or the nodes of a Citus cluster. On a cluster, what concerns one schema goes straight to
// the node that holds it, and everything else to the coordinator.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServeOptions } from '../../config/options.ts'
import type { Observe } from '../../observe/observation.ts'
import { createPool, type PoolOptions } from '../create-pool.ts'
import { openDatabase, type Database, type SchemaDatabase } from '../database.ts'
import { hasState, isFromServer, isPassing } from '../sqlstate.ts'
import { connectionBudget } from './connection-budget.ts'
import { failingFast, isUnreached } from './failing-fast.ts'
import { placements, type NodeAddress } from './placements.ts'
import { serverUrls } from '../../config/server-urls.ts'

export interface NodesOptions extends PoolOptions {
  readonly databaseRouting?: ServeOptions['databaseRouting']
}

const waitForConnectionMs = 5_000

const mostTries = 5
const untilThereMs = 50

export function openNodes(options: NodesOptions, elapsed: () => number, observe: Observe): Database {
  const budget = connectionBudget(options.databasePoolSize, waitForConnectionMs)
  const pool = budget.share(createPool(options, observe))
  const coordinator = openDatabase(pool)
  const nodes = new Map<string, Database & { readonly isReachable: () => boolean }>()
  const listeners: (() => void)[] = []
  const everywhere = () => [coordinator, ...nodes.values()]
  const placed = placements(coordinator, elapsed)
  const tellListeners = () => listeners.forEach((listener) => listener())
  coordinator.onNewTimeline(tellListeners)

  const nodeAt = (address: string): Database => {
    const known = nodes.get(address)
    if (known !== undefined) return known
    const databaseUrl = nodeUrl(options.databaseUrl, address)
    const nodePool = failingFast(createPool({ ...options, databaseUrl }, observe), elapsed)
    const opened = openDatabase(budget.share(nodePool))
    opened.onNewTimeline(tellListeners)
    nodes.set(address, { ...opened, isReachable: nodePool.isReachable })
    return opened
  }

  const at = async <T>(schema: string, work: (database: SchemaDatabase) => Promise<T>): Promise<T> => {
    const address = await placed.of(schema)
    const attempt = (node: NodeAddress) => work(node === undefined ? coordinator : nodeAt(node))
    try {
      return await attempt(address)
    } catch (error) {
      // The node may be gone, and its schemas elsewhere.
      if (!isFromServer(error) || isPassing(error)) placed.forget(schema)
      if (!isUnreached(error)) throw error
      const now = await placed.of(schema)
      if (now === address) throw error
      return attempt(now)
    }
  }

  /**
   * Repeats what was rolled back by a deadlock, with another writer or with a move of the ontology, and what came to the node of a
   * new ontology a moment before its tables were there.
   */
  const again = async <T>(schema: string, work: (database: SchemaDatabase) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await at(schema, work)
      } catch (error) {
        const isEarly = hasState(error, 'undefinedTable') || hasState(error, 'undefinedSchema')
        if (tries === mostTries || !(isEarly || hasState(error, 'deadlock'))) throw error
        if (isEarly) await sleep(untilThereMs)
      }
    }
  }

  const onNode = (schema: string): SchemaDatabase => ({
    rows: (query) => again(schema, (database) => database.rows(query)),
    eachRow: (query, takeRow, signal) =>
      again(schema, (database) => database.eachRow(query, takeRow, signal)),
    bytes: (query, signal) => again(schema, (database) => database.bytes(query, signal)),
    transaction: (work) => again(schema, (database) => database.transaction(work)),
    pipeline: (queries) => again(schema, (database) => database.pipeline(queries)),
  })

  const database: Database = {
    ...coordinator,
    holding: (schema) =>
      coordinator.isCitus() && options.databaseRouting !== 'coordinator' ? onNode(schema) : coordinator,
    onNewTimeline: (listener) => void listeners.push(listener),
    connections: () => {
      const counts = everywhere().map((each) => each.connections())
      const sum = (name: keyof (typeof counts)[number]) =>
        counts.reduce((total, each) => total + each[name], 0)
      return { open: sum('open'), idle: sum('idle'), waiting: sum('waiting') + budget.waiting() }
    },
    nodes: () =>
      [...nodes].map(([address, node]) => ({
        address,
        isReachable: node.isReachable(),
        connections: node.connections(),
      })),
    close: async () => {
      await Promise.all(everywhere().map((each) => each.close()))
    },
  }
  return database
}

/** The URL of a node: as that of the coordinator, with another address. */
function nodeUrl(databaseUrl: string, address: string): string {
  const url = new URL(serverUrls(databaseUrl)[0] ?? databaseUrl)
  for (const parameter of ['host', 'port']) url.searchParams.delete(parameter)
  url.host = address
  return url.href
}
