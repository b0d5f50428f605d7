import { cpus, totalmem } from 'node:os'
import type { Database } from '../../packages/service/test/inside.ts'

export interface Machine {
  readonly cores: number
  readonly cpu: string
  readonly memoryGigabytes: number
  readonly node: string
  readonly postgres: string
}

export async function describeMachine(database: Database): Promise<Machine> {
  const [row] = await database.rows({
    text: `select current_setting('server_version') as version`,
    values: [],
  })
  const all = cpus()
  return {
    cores: all.length,
    cpu: all[0]?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown',
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: row?.['version'] ?? 'unknown',
  }
}
