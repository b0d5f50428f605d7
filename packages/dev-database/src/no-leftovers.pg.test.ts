import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leftoversIn } from './leftovers.fixture.ts'
import { withClient } from './with-client.ts'

// The tests read /proc; the guardian itself does not need it.
describe.runIf(process.platform === 'linux')('a cluster whose owner is killed', () => {
  let folder = ''

  beforeEach(async () => {
    folder = await mkdtemp('/tmp/octavo-kill-')
    await chmod(folder, 0o1777)
  })

  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  const startOwner = () => {
    const owner = spawn(
      process.execPath,
      [fileURLToPath(new URL('hold-cluster.fixture.ts', import.meta.url))],
      {
        env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      },
    )
    const ended = new Promise((resolve) => owner.once('exit', resolve))
    const url = new Promise<string>((resolve) =>
      owner.stdout.once('data', (data) => resolve(String(data).trim())),
    )
    const end = async (signal: NodeJS.Signals) => {
      if (owner.pid === undefined) throw new Error('the owner did not start')
      // Sent to the whole process group, as Ctrl-C in a terminal does.
      process.kill(-owner.pid, signal)
      await ended
    }
    return { url, end }
  }

  const nothing = { folders: [], processes: [] }

  const leftoversInTheEnd = async () => {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const left = await leftoversIn(folder)
      if (left.folders.length + left.processes.length === 0) break
      await sleep(50)
    }
    return leftoversIn(folder)
  }

  for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`leaves no process and no folder after ${signal}, also with a query running`, async () => {
      const owner = startOwner()
      const query = withClient(await owner.url, (client) => client.query('SELECT pg_sleep(600)'))
      const interrupted = query.catch((error: unknown) => error)
      const before = await leftoversIn(folder)
      expect(before.folders).toHaveLength(1)
      expect(before.processes.length).toBeGreaterThan(5)
      await owner.end(signal)
      expect(await leftoversInTheEnd()).toEqual(nothing)
      expect(await interrupted).toBeInstanceOf(Error)
    })
  }

  const announced = async (role: string) => {
    const [name = ''] = await readdir(folder)
    const entries = await readdir(join(folder, name, 'run')).catch(() => [])
    expect(entries.some((entry) => entry.startsWith(role))).toBe(true)
  }

  for (const role of ['initdb', 'postgres']) {
    it(`leaves nothing when the owner is killed as soon as ${role} starts`, async () => {
      const owner = startOwner()
      await vi.waitFor(async () => announced(role), { timeout: 60_000, interval: 1 })
      await owner.end('SIGKILL')
      expect(await leftoversInTheEnd()).toEqual(nothing)
    })
  }

  it('leaves nothing at whatever moment of its start the owner is killed', async () => {
    for (let delay = 100; delay <= 1_300; delay += 150) {
      const owner = startOwner()
      await sleep(delay)
      await owner.end('SIGKILL')
      expect(await leftoversInTheEnd()).toEqual(nothing)
    }
  })
})
