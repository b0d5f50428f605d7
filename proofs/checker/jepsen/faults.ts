// Faults, one after another: of instances, of PostgreSQL and of the connections between them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@octavo/dev-database'
import { Client } from 'pg'
import type { Instances } from './instances.ts'
import type { Run } from './run.ts'

interface Struck {
  readonly run: Run
  readonly cluster: Cluster
  readonly instances: Instances
}

type Fault = (struck: Struck) => Promise<void>

const faults: Readonly<Record<string, Fault>> = {
  'an instance is killed': ({ run: { chance }, instances }) =>
    instances.restart(chance.below(2), 'kill', () => sleep(chance.below(500))),
  'an instance is killed and comes back late': ({ run: { chance }, instances }) =>
    instances.restart(chance.below(2), 'kill', () => sleep(chance.below(4_000))),
  'an instance is stopped in order': ({ run: { chance }, instances }) =>
    instances.restart(chance.below(2), 'stop', async () => {}),
  'an instance stands still': async ({ run: { chance }, instances }) => {
    const { pid } = instances.processOf(chance.below(2))
    process.kill(pid, 'SIGSTOP')
    await sleep(3_000 + chance.below(4_000))
    process.kill(pid, 'SIGCONT')
  },
  'PostgreSQL is shut down at once': ({ cluster }) => cluster.restart('immediate'),
  'PostgreSQL is killed': async ({ run: { chance }, cluster }) => {
    await cluster.kill()
    await sleep(chance.below(800))
    await cluster.start()
  },
  'PostgreSQL and both instances are killed': async ({ cluster, instances }) => {
    const begin = Promise.withResolvers<void>()
    const restarted = [0, 1].map((number) => instances.restart(number, 'kill', () => begin.promise))
    await cluster.kill()
    await cluster.start()
    begin.resolve()
    await Promise.all(restarted)
  },
  'all connections are terminated': async ({ cluster }) => {
    const client = new Client(cluster.url)
    await client.connect()
    try {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
      )
    } finally {
      await client.end()
    }
  },
}

export async function keepStriking(struck: Struck): Promise<void> {
  const { chance, isGoingOn, count, violation } = struck.run
  while (isGoingOn()) {
    await sleep(6_000 + chance.below(12_000))
    if (!isGoingOn()) return
    const [name, strike] = chance.one(Object.entries(faults))
    count(`fault: ${name}`)
    await strike(struck).catch((error: unknown) => violation(`could not: ${name}`, String(error)))
  }
}
