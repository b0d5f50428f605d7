// A primary and its synchronous standby under Patroni and etcd, with HAProxy in front, from Debian's packages: the setup of
// docs/run/high-availability.md, on one machine.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries, serverIdentity } from '@octavo/dev-database'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { freePort } from '@octavo/dev-database'
import { removeWithUs } from '../harness/end-with-us.ts'
import type { DatabaseUnderTest } from '../harness/faults/database-under-test.ts'
import { startEtcd } from './etcd.ts'
import { haNode, type HaNode } from './ha-node.ts'
import { startHaproxy } from '../harness/haproxy.ts'

const startsWithinSeconds = 180
const failsOverWithinSeconds = 90
const rejoinsWithinSeconds = 120

/** Programs of the packages etcd-server and patroni that are not installed. */
export const missingPrograms = (): readonly string[] =>
  ['etcd', 'patroni'].filter((program) => spawnSync(program, ['--version']).error !== undefined)

/** Retried once if it ends by itself: another process may have taken a port that was free. */
export const startHaPair = (): Promise<DatabaseUnderTest> =>
  tryToStart().catch((first: unknown) => {
    process.stderr.write(`${String(first)}\n`)
    return tryToStart()
  })

async function tryToStart(): Promise<DatabaseUnderTest> {
  const [{ folder: binFolder }, identity] = await Promise.all([findBinaries(), serverIdentity()])
  const folder = await mkdtemp(join(tmpdir(), 'octavo-ha-'))
  removeWithUs(folder)
  if (identity.uid !== undefined && identity.gid !== undefined)
    await chown(folder, identity.uid, identity.gid)
  const passwords = { superuser: newPassword(), replication: newPassword(), octavo: newPassword() }
  const etcd = await startEtcd(folder, identity)
  const settings = { folder, binFolder, identity, etcdPort: etcd.port, passwords }
  const nodes = [
    await haNode({ ...settings, name: 'pg1' }),
    await haNode({ ...settings, name: 'pg2' }),
  ] as const
  const [first, second] = nodes
  const port = await freePort()
  const balancer = await startHaproxy('haproxy-postgres.cfg', port, {
    POSTGRES_BALANCER_BIND: `127.0.0.1:${port}`,
    POSTGRES_1: `127.0.0.1:${first.port}`,
    POSTGRES_1_PATRONI_PORT: String(first.patroniPort),
    POSTGRES_2: `127.0.0.1:${second.port}`,
    POSTGRES_2_PATRONI_PORT: String(second.patroniPort),
  })
  const stop = async () => {
    await balancer.stop()
    await Promise.all(nodes.map((node) => node.kill()))
    await etcd.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    for (const node of nodes) node.start()
    await waitUntil(() => isWhole(nodes), startsWithinSeconds, 'a primary with a synchronous standby')
    await createDatabase(
      `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`,
      passwords.octavo,
    )
  } catch (error) {
    const logs = await Promise.all(
      ['pg1', 'pg2'].map((name) => readFile(join(folder, `${name}.log`), 'utf8').catch(() => '')),
    )
    await stop()
    throw new Error(
      `the pair did not start: ${String(error)}\n${logs.map((log) => log.slice(-4_000)).join('\n--\n')}`,
      {
        cause: error,
      },
    )
  }
  return {
    url: `postgres://octavo:${passwords.octavo}@127.0.0.1:${port}/octavo`,
    faults: faultsOf(nodes),
    stop,
  }
}

function faultsOf(nodes: readonly [HaNode, HaNode]): DatabaseUnderTest['faults'] {
  const wholeAgain = () =>
    waitUntil(() => isWhole(nodes), rejoinsWithinSeconds, 'the old primary as the synchronous standby')
  return {
    'fail over': async () => {
      const primary = await primaryOf(nodes)
      const other = nodes.find((node) => node !== primary)
      await primary.kill()
      await waitUntil(
        async () => (await other?.isPrimary()) === true,
        failsOverWithinSeconds,
        'the standby promoted',
      )
      return async () => {
        primary.start()
        await wholeAgain()
      }
    },
    'lose the standby': async () => {
      const primary = await primaryOf(nodes)
      const other = nodes.find((node) => node !== primary)
      await other?.kill()
      const isAlone = async () => !(await rolesSeenBy(primary)).includes('sync_standby')
      await waitUntil(isAlone, failsOverWithinSeconds, 'the primary to continue alone')
      return async () => {
        other?.start()
        await wholeAgain()
      }
    },
    'kill PostgreSQL under Patroni': async () => {
      ;(await primaryOf(nodes)).killPostgres()
      const isBack = async () => (await Promise.all(nodes.map((node) => node.isPrimary()))).includes(true)
      await waitUntil(isBack, failsOverWithinSeconds, 'a primary')
      return wholeAgain
    },
  }
}

async function primaryOf(nodes: readonly HaNode[]): Promise<HaNode> {
  for (const node of nodes) if (await node.isPrimary()) return node
  throw new Error('the pair has no primary')
}

/** Whether one node leads and the other has every acknowledged commit. */
async function isWhole(nodes: readonly HaNode[]): Promise<boolean> {
  if (!nodes.every((node) => node.isRunning())) throw new Error('Patroni has ended by itself')
  for (const node of nodes) {
    const roles = await rolesSeenBy(node)
    if (roles.includes('leader') && roles.includes('sync_standby')) return true
  }
  return false
}

/** The roles of the running servers; empty if none answers in time. */
async function rolesSeenBy({ patroniPort }: HaNode): Promise<readonly string[]> {
  try {
    const url = `http://127.0.0.1:${patroniPort}/cluster`
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    const { members = [] } = (await response.json()) as Cluster
    return members.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role)
  } catch {
    return []
  }
}

interface Cluster {
  readonly members?: readonly { readonly role: string; readonly state: string }[]
}

async function waitUntil(isSo: () => Promise<boolean>, seconds: number, what: string): Promise<void> {
  const until = performance.now() + seconds * 1_000
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`waited ${seconds} s in vain for ${what}`)
    await sleep(100)
  }
}

async function createDatabase(superuserUrl: string, password: string): Promise<void> {
  const { database } = openTestStore({ databaseUrl: superuserUrl, databasePoolSize: 1 })
  try {
    await database.rows({ text: `create role octavo login password '${password}'`, values: [] })
    await database.rows({ text: 'create database octavo owner octavo', values: [] })
  } finally {
    await database.close()
  }
}

const newPassword = (): string => randomBytes(18).toString('base64url')
