import type { Reader } from '../../postgres/database.ts'

export interface ReplicaMeasure {
  readonly name: string
  readonly lagSeconds: number
}

const mostReplicas = 10

/**
 * The standbys that are connected to this server, by the name that each gives itself. From roles that are not members of
 * pg_monitor, PostgreSQL hides everything except their number. A lag of null means that the standby has nothing to catch up
 * with.
 */
export async function measureReplicas(reader: Reader): Promise<readonly ReplicaMeasure[]> {
  const rows = await reader.rows({
    text: `select application_name, coalesce(max(extract(epoch from replay_lag)), 0) as lag
from pg_stat_replication where state is not null group by application_name order by lag desc limit ${mostReplicas}`,
    values: [],
  })
  return rows.map((row) => ({ name: row['application_name'] ?? '', lagSeconds: Number(row['lag']) }))
}
