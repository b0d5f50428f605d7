// What could grow without bound: memory of the instances, connections, history, and the tables of a type.
import { readFileSync } from 'node:fs'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'

export interface Measures {
  readonly seconds: number
  /** The memory of the largest instance. */
  readonly memoryMegabytes: number
  readonly connections: number
  readonly historyRows: number
  readonly historyKilobytes: number
  readonly currentKilobytes: number
  /** Bytes of both tables with their indexes, per row that can still be read. */
  readonly bytesARow: number
}

export async function measure(
  store: Store,
  { tables }: ObjectType,
  instances: readonly (number | undefined)[],
  seconds: number,
): Promise<Measures> {
  const [row] = await store.database.rows({
    text: `select (select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend') as connections,
  (select count(*) from ${tables.history}) as history_rows, (select count(*) from ${tables.current}) as objects,
  pg_total_relation_size('${tables.history}') as history_bytes, pg_total_relation_size('${tables.current}') as current_bytes`,
    values: [],
  })
  const number = (name: string) => Number(row?.[name])
  const bytes = number('history_bytes') + number('current_bytes')
  return {
    seconds,
    memoryMegabytes: Math.max(...instances.map(residentMegabytes)),
    connections: number('connections'),
    historyRows: number('history_rows'),
    historyKilobytes: number('history_bytes') / 1024,
    currentKilobytes: number('current_bytes') / 1024,
    bytesARow: bytes / Math.max(1, number('history_rows') + number('objects')),
  }
}

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
