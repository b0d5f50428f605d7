// On which node of a Citus cluster each schema is. Citus' own tables know; what they said is cached. A schema may be moved at any
// time: then the node that had it forwards statements to the one that has it, so an outdated answer is slow, not wrong.
import { lruCache } from '../../base/lru-cache.ts'
import type { Reader } from '../reader.ts'
import { groupHolding, nodeAddress } from './node-sql.ts'

/** A node by its address, or undefined for the coordinator itself. */
export type NodeAddress = string | undefined

export interface Placements {
  readonly of: (schema: string) => Promise<NodeAddress>
  /** What was known of this schema led to an error. */
  readonly forget: (schema: string) => void
}

const checkAfterMs = 10_000
/** More than the ontologies of a large cluster, at some hundred bytes each. */
const mostRemembered = 20_000

interface Placement {
  readonly node: NodeAddress
  readonly checkedAt: number
}

export function placements(coordinator: Reader, elapsed: () => number): Placements {
  const known = lruCache<Placement>(mostRemembered)
  const asked = new Map<string, Promise<NodeAddress>>()

  const ask = (schema: string): Promise<NodeAddress> => {
    const running = asked.get(schema)
    if (running !== undefined) return running
    const asking = readPlacement(coordinator, schema)
      .then((node) => {
        known.set(schema, { node, checkedAt: elapsed() })
        return node
      })
      .finally(() => asked.delete(schema))
    asked.set(schema, asking)
    return asking
  }

  return {
    of: async (schema) => {
      const placement = known.get(schema)
      if (placement === undefined) return ask(schema)
      // Nobody waits for the check. If it fails, what is known is used until the next one.
      if (elapsed() - placement.checkedAt >= checkAfterMs) ask(schema).catch(() => {})
      return placement.node
    },
    forget: (schema) => known.delete(schema),
  }
}

/** A schema that is not distributed is on the coordinator. */
async function readPlacement(coordinator: Reader, schema: string): Promise<NodeAddress> {
  const rows = await coordinator.rows({
    text: `select ${nodeAddress} as address from pg_dist_node n
where n.noderole = 'primary' and n.groupid <> 0 and n.groupid = ${groupHolding('$1')}`,
    values: [schema],
  })
  return rows[0]?.['address'] ?? undefined
}
