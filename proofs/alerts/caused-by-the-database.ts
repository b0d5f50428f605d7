import { letTimePass } from '../../packages/service/test/support/let-time-pass.ts'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { askForChanges, readState } from '../../packages/service/test/support/changes-over-http.ts'
import { items, putItems } from '../../packages/service/test/support/load-items.ts'
import { apiFamily, askedOf } from '../harness/known-states.ts'
import { forEachNumber } from '../harness/keep-alive-client.ts'
import type { Condition } from './condition.ts'
import { heldTransaction } from './held-transaction.ts'
import type { WatchedService } from './watched-service.ts'

const execute = promisify(execFile)

/** The audit buffers 20,000 records while it cannot be written. */
const pagesAtOnce = 2_000
const day = 86_400

export function causedByTheDatabase(watched: WatchedService): readonly Condition[] {
  const { store, type, cluster, standby, ask, pagePath } = watched
  const run = (text: string) => store.database.rows({ text, values: [] })
  const held = heldTransaction(store)
  const runOnStandby = (statement: string) =>
    execute(join(standby.binFolder, 'psql'), [standby.url, '--quiet', '--command', statement])
  const changeEveryItem = (rank: number) =>
    putItems(
      store,
      type,
      items(200).map((item) => ({ ...item, rank })),
    )
  const askMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => ask().catch(() => undefined)))
  const askWhile = async (goesOn: () => boolean, path: string) => {
    while (goesOn()) await ask(path).catch(() => undefined)
  }

  return [
    {
      says: 'a type is changed much faster than its history is pruned',
      alerts: ['OctavoHistoryLarge'],
      cause: (times) => changeEveryItem(times),
    },
    {
      says: 'snapshots are pruned while they are walked',
      alerts: ['OctavoSnapshotsGone'],
      cause: async (times) => {
        const page = await ask(`${pagePath}&snapshot=true`)
        const { nextPageToken } = (await page.json()) as { readonly nextPageToken: string }
        await changeEveryItem(1_000 + times)
        await store.prune(type, {
          retentionSeconds: 0,
          settleSeconds: 0,
          commitsKeptSeconds: 86_400,
        })
        for (let i = 0; i < 3; i += 1) await ask(`${pagePath}&snapshot=true&pageToken=${nextPageToken}`)
      },
    },
    {
      says: 'a copy was left alone for longer than changes are kept',
      alerts: ['OctavoChangesExpired'],
      cause: async (times) => {
        const service = askedOf(watched.url)
        const asks = { objectType: type.apiName, apiFamily }
        const { snapshotToken } = await readState(service, { ...asks, asks: {} })
        await changeEveryItem(3_000 + times)
        await letTimePass(store, type, 8 * day)
        // The floor is raised by the first, and what is below it deleted by the second.
        for (const _ of ['floor', 'changes']) {
          await store.prune(type, { retentionSeconds: 60, settleSeconds: 0, commitsKeptSeconds: 7 * day })
        }
        await askForChanges(service, { ...asks, asks: { fromSnapshotToken: snapshotToken } })
      },
    },
    {
      says: 'another session holds the row that pruning must change, and the oldest version is an hour old',
      alerts: ['OctavoPruningStuck'],
      cause: async () => {
        if (held.isHeld()) return
        for (const rank of [1, 2]) await putItems(store, type, [{ id: 'i000001', rank }])
        await letTimePass(store, type, 3_600)
        await held.hold(`select * from ${type.tables.clock} for update`)
      },
      undo: held.release,
    },
    {
      says: 'pages wait for a lock that another session takes repeatedly',
      alerts: ['OctavoPagesSlow'],
      cause: async () => {
        await held.hold(`lock table ${type.tables.current} in access exclusive mode`)
        const pages = askMany(3)
        await sleep(1_500)
        await held.release()
        await pages
      },
    },
    {
      says: 'all connections of an instance wait for a lock while more requests arrive',
      alerts: ['OctavoPoolExhausted'],
      cause: async (times) => {
        if (times === 0) {
          await held.hold(`lock table ${type.tables.current} in access exclusive mode`)
          // Pages take the connections; a readiness check does not wait in the queue for the pool.
          for (const path of [
            ...Array<string>(8).fill(pagePath),
            ...Array<string>(8).fill('/health/ready'),
          ]) {
            void askWhile(held.isHeld, path)
          }
        }
        await sleep(500)
      },
      undo: held.release,
    },
    {
      says: 'a table is renamed under the service',
      alerts: ['OctavoRequestsFail'],
      cause: async (times) => {
        if (times === 0) await run(`alter table ${type.tables.current} rename to renamed`)
        await askMany(3)
        await sleep(300)
      },
      undo: () =>
        run(`alter table ${schemaOf(type.tables.current)}.renamed rename to ${tableOf(type.tables.current)}`),
    },
    {
      says: 'a standby stops replaying',
      alerts: ['OctavoReplicaBehind'],
      cause: async (times) => {
        if (times === 0) await runOnStandby('select pg_wal_replay_pause()')
        await changeEveryItem(2_000 + times)
        await sleep(500)
      },
      undo: () => runOnStandby('select pg_wal_replay_resume()'),
    },
    {
      says: 'the audit table is gone',
      alerts: ['OctavoAuditIncomplete'],
      cause: async (times) => {
        if (times === 0) await run('alter table octavo.audit rename to audit_renamed')
        // As many at once as there are connections, because refused requests are not audited.
        await forEachNumber(pagesAtOnce, 4, async () => void (await watched.readPage()))
      },
      undo: () => run('alter table octavo.audit_renamed rename to audit'),
    },
    {
      says: 'the database is gone',
      alerts: ['OctavoDatabaseUnreachable', 'OctavoNotReady', 'OctavoOverloaded'],
      cause: async (times) => {
        if (times === 0) await cluster.kill()
        await askMany(3)
        await sleep(300)
      },
      undo: cluster.start,
    },
  ]
}

const schemaOf = (table: string): string => table.split('.')[0] ?? ''
const tableOf = (table: string): string => table.split('.')[1] ?? ''
