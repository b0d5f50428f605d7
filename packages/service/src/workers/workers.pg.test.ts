// Runs `serve --workers` as real processes on one port.
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { afterEach, describe, expect, it } from 'vitest'
import { itemId } from '../../test/support/load-items.ts'
import { openTestStore } from '../../test/support/open-test-store.ts'
import { searching } from '../../test/support/page-revisions.ts'
import { scrape } from '../../test/support/read-metrics.ts'
import { spawnService, startServiceProcess } from '../../test/support/start-service-process.ts'
import type { TestRequest } from '../../test/support/start-test-service.ts'
import { testToken, withTestAccess } from '../../test/support/test-access.ts'
import { walkOverHttp } from '../../test/support/walk-over-http.ts'
import { withItems } from '../../test/support/with-items.ts'

type Started = Awaited<ReturnType<typeof startServiceProcess>>

const objects = 40
const database = forAllTests(freshDatabase)
const store = forAllTests(() => withTestAccess(openTestStore({ databaseUrl: database.url })))
const ontology = forAllTests(() =>
  store.applyOntology({ apiName: 'crew', displayName: 'Crew', apiFamilies: ['crew'] }),
)
const { collection } = withItems({ store, ontology }, objects, 'item')
let main: Started | undefined

afterEach(() => {
  main?.child.kill('SIGKILL')
  main = undefined
})

const start = async (workers: number, more: { flags?: readonly string[]; detached?: boolean } = {}) => {
  const flags = [`--workers=${workers}`, ...(more.flags ?? [])]
  main = await startServiceProcess({ ...more, databaseUrl: database.url, flags })
  const started = await main.logged('worker-started', workers)
  return { ...main, pids: started.map(({ worker }) => Number(worker)) }
}

/** Uses a new connection each time, so that any worker may get it. */
const served = (address: string) => ({
  fetch: (path: string, init: TestRequest = {}) =>
    fetch(address + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${testToken}`, connection: 'close' },
    }),
})

const walk = (address: string) =>
  walkOverHttp(served(address), searching, collection, { snapshot: true, pageSize: () => 2 })

const whoServed = (log: Started['log']) =>
  new Set(log.filter(({ kind }) => kind === 'request-served').map(({ pid }) => pid))

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('serve with several workers', () => {
  it('every worker serves the port, and a page token of one is good at all', async () => {
    const { address, child, log, pids, logged } = await start(3)
    const { records } = await walk(address)
    expect(records.map(({ properties }) => properties['id'])).toEqual(
      Array.from({ length: objects }, (_, number) => itemId(number)),
    )
    await logged('request-served', objects / 2)
    expect(whoServed(log)).toEqual(new Set(pids))
    expect(pids).not.toContain(child.pid)
    expect(new Set((await logged('service-listening', 3)).map((line) => line['address']))).toEqual(
      new Set([address]),
    )
  })

  it('a worker that is killed is replaced, and requests still succeed', async () => {
    const { address, pids, logged, exitCode, child } = await start(2)
    const [killed = 0] = pids
    process.kill(killed, 'SIGKILL')
    expect(await logged('worker-ended')).toMatchObject([
      { worker: killed, because: 'SIGKILL', againInSeconds: 0 },
    ])
    for (let asked = 0; asked < 50; asked += 1) {
      expect((await served(address).fetch('/health/ready')).status).toBe(200)
    }
    const [, , replacement] = await logged('worker-started', 3)
    expect(pids).not.toContain(replacement?.['worker'])
    await walk(address)
    child.kill('SIGTERM')
    expect(await exitCode).toBe(0)
  })

  it('SIGTERM ends all, once each has finished', async () => {
    const { child, address, pids, logged, exitCode } = await start(2, { flags: ['--stop-delay-seconds=4'] })
    child.kill('SIGTERM')
    await logged('service-stopping', 3)
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await served(address).fetch('/health/ready')).status).toBe(503)
      expect((await served(address).fetch('/health/live')).status).toBe(200)
    }
    expect(await exitCode).toBe(0)
    expect(pids.filter(isRunning)).toEqual([])
    await logged('service-stopped', 3)
    await expect(fetch(`${address}/health/live`)).rejects.toThrow('fetch failed')
  })

  it('a signal that reaches every process, as Ctrl-C does, is heard once', async () => {
    const { child, pids, exitCode, errors } = await start(2, { detached: true })
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await exitCode).toBe(0)
    expect(await errors).toBe('')
    expect(pids.filter(isRunning)).toEqual([])
  })

  it('no worker outlives a main process that is killed', async () => {
    const { child, pids } = await start(2)
    expect(pids.filter(isRunning)).toEqual(pids)
    child.kill('SIGKILL')
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  })

  it('the metrics are the sum of all workers, and do not fall when one dies', async () => {
    const { address, pids, logged, log } = await start(2, { flags: ['--metrics-port=0'] })
    const [listening] = await logged('metrics-listening')
    const metrics = String(listening?.['address'])
    await walk(address)
    await logged('request-served', objects / 2)
    expect(whoServed(log).size).toBe(2)
    const before = await scrape(metrics)
    expect(before.value('octavo_pages_total')).toBe(objects / 2)
    expect(before.value('octavo_page_stage_seconds_count', { stage: 'read' })).toBe(objects / 2)
    expect(before.value('octavo_pool_size')).toBe(20)
    expect(before.value('octavo_ready')).toBe(1)
    // Only one of the workers measures this.
    expect(before.value('octavo_database_up')).toBe(1)
    expect(before.value('octavo_live_objects', { object_type: 'item' })).toBe(objects)

    process.kill(pids[0] ?? 0, 'SIGKILL')
    await logged('worker-started', 3)
    const after = await scrape(metrics)
    expect(after.value('octavo_pages_total')).toBe(objects / 2)
    expect(after.value('octavo_page_stage_seconds_count', { stage: 'read' })).toBe(objects / 2)
    expect(after.value('octavo_pool_size')).toBe(20)
    expect(after.value('octavo_live_objects', { object_type: 'item' })).toBe(objects)
    await walk(address)
    await logged('request-served', objects)
    expect((await scrape(metrics)).value('octavo_pages_total')).toBe(objects)
  })
})

describe('workers that cannot start', () => {
  const endOf = async (flags: readonly string[]) => {
    const { exitCode, errors, log } = spawnService({
      databaseUrl: database.url,
      flags: ['--workers=3', ...flags],
    })
    return { code: await exitCode, errors: await errors, log }
  }

  it('say once that the port is taken, and all ends', async () => {
    const taker = createServer().listen(0, '127.0.0.1')
    await once(taker, 'listening')
    const { port } = taker.address() as AddressInfo
    for (const flag of ['--port', '--metrics-port']) {
      const { code, errors } = await endOf([`${flag}=${port}`])
      expect(code).toBe(1)
      expect(errors.match(/Cannot listen on /g)).toHaveLength(1)
      expect(errors).toContain('EADDRINUSE')
    }
    taker.close()
  })

  it('say once that the options do not work, and all ends', async () => {
    const { code, errors } = await endOf(['--tls-certificate-file=/none.pem', '--tls-key-file=/none.key'])
    expect(code).toBe(1)
    expect(errors.match(/The service cannot start with these options/g)).toHaveLength(1)
    expect(errors).toContain('No worker can start: fix the problem above, then start the service again.')
  })
})
