import type { ChildProcess } from 'node:child_process'
import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { startServiceProcess } from '../test/support/start-service-process.ts'

const database = forEachTest(freshDatabase)
let service: ChildProcess | undefined

afterEach(async () => {
  service?.kill('SIGKILL')
})

const startMain = async (flags: readonly string[] = []) => {
  const started = await startServiceProcess({ databaseUrl: database.url, flags })
  service = started.child
  return started
}

/** Keeps a readiness check, and with it a request, in progress until released. */
const holdReadiness = async () => {
  const client = new Client(database.url)
  await client.connect()
  await client.query('begin; lock table octavo.migrations in access exclusive mode')
  const waiters = async () => {
    const { rows } = await client.query(
      `select from pg_locks where not granted and relation = 'octavo.migrations'::regclass`,
    )
    return rows.length
  }
  return {
    untilSomebodyWaits: async () => {
      await expect.poll(waiters).toBeGreaterThan(0)
    },
    release: () => client.end(),
  }
}

describe('a service told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 on %s', async (signal) => {
    const { child, address, logged, exitCode } = await startMain()
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    child.kill(signal)
    expect(await exitCode).toBe(0)
    await logged('service-stopped')
    await expect(fetch(`${address}/health/live`)).rejects.toThrow('fetch failed')
  })

  it('first finishes the request that is in progress', async () => {
    const { child, address, logged, exitCode } = await startMain()
    const hold = await holdReadiness()
    const answer = fetch(`${address}/health/ready`)
    await hold.untilSomebodyWaits()
    child.kill('SIGTERM')
    await logged('service-stopping')
    await hold.release()
    expect((await answer).status).toBe(200)
    expect(await exitCode).toBe(0)
  })

  it('aborts a request that outlasts the grace period, and says so', async () => {
    const { child, address, logged, exitCode } = await startMain(['--stop-grace-seconds=1'])
    const hold = await holdReadiness()
    const answer = fetch(`${address}/health/ready`).catch(() => 'cut off')
    await hold.untilSomebodyWaits()
    child.kill('SIGTERM')
    expect(await exitCode).toBe(1)
    expect(await answer).toBe('cut off')
    await logged('stop-grace-exceeded')
    await hold.release()
  })

  it('ends at once when told again', async () => {
    const { child, address, logged, exitCode } = await startMain(['--stop-grace-seconds=600'])
    const hold = await holdReadiness()
    const answer = fetch(`${address}/health/ready`).catch(() => 'cut off')
    await hold.untilSomebodyWaits()
    child.kill('SIGTERM')
    await logged('service-stopping')
    child.kill('SIGTERM')
    expect(await exitCode).toBe(128 + 15)
    expect(await answer).toBe('cut off')
    await hold.release()
  })
})
