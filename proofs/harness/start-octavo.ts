import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startService, type ServiceProcess } from './service-process.ts'

export interface OctavoOptions {
  readonly databaseUrl: string
  /** Runs the published build, for figures of its start; otherwise the source, which is the same code. */
  readonly built: boolean
  /** The root of another checkout. */
  readonly root?: string
  /** The number of connections to PostgreSQL. */
  readonly poolSize?: number
}

/** As docs/run/operating.md advises, because PostgreSQL runs on the same machine here. */
export const twiceTheCores = 2 * availableParallelism()

const ownRoot = join(import.meta.dirname, '../..')

/** With the default options of a deployment, except for the size of its pool. */
export const startOctavo = ({
  databaseUrl,
  built,
  root = ownRoot,
  poolSize = twiceTheCores,
}: OctavoOptions): Promise<ServiceProcess> =>
  startService({
    databaseUrl,
    program: {
      file: join(root, 'packages/service', built ? 'dist/main.js' : 'src/main.ts'),
      nodeOptions: built ? [] : ['--conditions=@octavo/source'],
    },
    log: 'discarded',
    environment: {
      NODE_ENV: 'production',
      OCTAVO_LOG_LEVEL: 'info',
      OCTAVO_DATABASE_POOL_SIZE: String(poolSize),
      // Two more exceptions. Rates are measured with many connections that all wait for their turn, which is overload
      // elsewhere.
      OCTAVO_QUEUE_MILLISECONDS: '3600000',
      // A run may take longer than an hour, and reads one snapshot throughout.
      OCTAVO_SNAPSHOT_RETENTION_SECONDS: '86400',
    },
  })
