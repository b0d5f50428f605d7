import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cluster } from './cluster.ts'
import { startCluster } from './start-cluster.ts'
import { withClient } from './with-client.ts'

const setting = async (url: string, name: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
    return rows[0]?.value
  })

describe('a throwaway cluster', () => {
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await startCluster({ settings: { work_mem: '7MB' } })
  })

  afterAll(async () => {
    await cluster.stop()
  })

  it('answers on loopback and does not run as root', async () => {
    expect(await setting(cluster.url, 'listen_addresses')).toBe('127.0.0.1')
    expect((await stat(cluster.dataFolder)).uid).not.toBe(0)
    const [pid] = (await readFile(join(cluster.dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
    const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=', '-p', String(pid)])
    expect(Number(stdout)).toBe((await stat(cluster.dataFolder)).uid)
  })

  it('answers on a socket in its folder', async () => {
    const { socketFolder, port, user, password } = cluster
    const url = `postgres://${user}:${password}@${encodeURIComponent(socketFolder)}:${port}/postgres`
    expect(await setting(url, 'port')).toBe(String(port))
  })

  it('refuses a wrong password and keeps none in a file', async () => {
    const wrong = new URL(cluster.url)
    wrong.password = 'wrong'
    await expect(setting(wrong.href, 'port')).rejects.toThrow(/password authentication failed/)
    expect(await readdir(cluster.socketFolder)).not.toContain('password')
  })

  it('sorts by bytes, is UTF-8, and takes settings', async () => {
    expect(await setting(cluster.url, 'server_encoding')).toBe('UTF8')
    expect(await setting(cluster.url, 'work_mem')).toBe('7MB')
    expect(await setting(cluster.url, 'max_connections')).toBe('200')
    await withClient(cluster.url, async (client) => {
      const { rows } = await client.query("SELECT 'B' < 'a' AS bytewise")
      expect(rows).toEqual([{ bytewise: true }])
    })
  })

  it('keeps what was committed when it crashes and starts again on the same port', async () => {
    await withClient(cluster.url, (client) => client.query('CREATE TABLE kept AS SELECT 42 AS answer'))
    const busy = withClient(cluster.url, (client) =>
      client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)'),
    )
    const interrupted = busy.catch((error: unknown) => error)
    await withClient(cluster.url, (client) => client.query('INSERT INTO kept VALUES (43)'))
    await cluster.kill()
    expect(await interrupted).toBeInstanceOf(Error)
    await expect(setting(cluster.url, 'port')).rejects.toThrow(/ECONNREFUSED/)
    await cluster.start()
    await withClient(cluster.url, async (client) => {
      const { rows } = await client.query('SELECT answer FROM kept ORDER BY answer')
      expect(rows).toEqual([{ answer: 42 }, { answer: 43 }])
    })
  })

  it('restarts in good order', async () => {
    await cluster.restart()
    expect(await setting(cluster.url, 'port')).toBe(String(cluster.port))
  })

  it('refuses to start twice', async () => {
    await expect(cluster.start()).rejects.toThrow('running already')
  })
})

describe('ending a cluster', () => {
  it('removes its folder, also after a crash, and may be asked twice', async () => {
    const cluster = await startCluster()
    await cluster.kill()
    await Promise.all([cluster.stop(), cluster.stop()])
    expect(existsSync(cluster.socketFolder)).toBe(false)
    expect(existsSync(`${cluster.socketFolder}.gone`)).toBe(false)
  })

  it('happens by itself when the server refuses its settings, and says why', async () => {
    const failed = startCluster({ settings: { shared_buffers: 'plenty' } })
    await expect(failed).rejects.toThrow(/invalid value for parameter "shared_buffers"/)
  })
})

it('writes to disk as a real server does when asked to be durable', async () => {
  const cluster = await startCluster({ durable: true })
  try {
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      expect(await setting(cluster.url, name)).toBe('on')
    }
  } finally {
    await cluster.stop()
  }
})
