// A primary and its standby, of which either may be the primary after a while. With a synchronous standby nothing that was seen
// is lost; an asynchronous one can be cut off first, so that everything written from then on is lost.
import { setTimeout as sleep } from 'node:timers/promises'
import { replicationSettings, startCluster, startStandby, type Cluster } from '@octavo/dev-database'
import { askServer } from '../../packages/service/test/support/serve-with-standby.ts'
import type { DatabaseUnderTest } from '../harness/faults/database-under-test.ts'
import { cutOff, untilReplayed } from '../harness/standby.ts'

export interface FollowerPair extends DatabaseUnderTest {
  /** The port of whichever server is the primary. */
  readonly port: () => number
  /** From now on the standby receives nothing. */
  readonly cutOffStandby: () => Promise<void>
  /**
   * Kills the primary and promotes the standby. Nobody reaches the new primary before `promoted` is done with it. Returns
   * what gives it a standby again.
   */
  readonly failOver: (promoted?: (primary: Cluster) => Promise<void>) => Promise<() => Promise<void>>
}

/** Otherwise a standby waits five seconds before it connects again. */
const settings = { ...replicationSettings, wal_retrieve_retry_interval: '200ms' }

export async function startPair(kind: 'synchronous' | 'asynchronous'): Promise<FollowerPair> {
  let primary = await startCluster({ settings })
  let standby: Cluster | undefined
  const { url } = primary
  const addStandby = async () => {
    standby = await startStandby(primary, { settings })
    if (kind === 'asynchronous') return
    await askServer(primary, "alter system set synchronous_standby_names = '*'")
    await askServer(primary, 'select pg_reload_conf()')
  }
  const standbyThere = (): Cluster => {
    if (standby === undefined) throw new Error('the pair has no standby')
    return standby
  }
  const failOver: FollowerPair['failOver'] = async (promoted = async () => {}) => {
    const [old, next] = [primary, standbyThere()]
    await old.kill()
    await askServer(next, 'select pg_promote()')
    await promoted(next)
    primary = next
    return async () => {
      await old.stop()
      await addStandby()
    }
  }
  await addStandby()
  return {
    url,
    port: () => primary.port,
    cutOffStandby: async () => {
      await untilReplayed(primary, standbyThere())
      await cutOff(standbyThere())
    },
    failOver,
    faults: {
      'kill PostgreSQL': async (pauseMilliseconds) => {
        await primary.kill()
        await sleep(pauseMilliseconds)
        await primary.start()
        return undefined
      },
      'fail over': async () => {
        // A primary that was killed shows commits after its restart that had not yet reached the standby.
        await untilReplayed(primary, standbyThere())
        return failOver()
      },
    },
    stop: async () => {
      await standby?.stop()
      await primary.stop()
    },
  }
}
