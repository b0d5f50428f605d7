import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { startCommand, type CommandProcess } from '../../test/support/command-process.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)

beforeAll(async () => {
  for (const apiName of ['thing', 'other']) {
    await served.declare(defineType(apiName, { id: 'integer searchable' }))
    await put(apiName, 1)
  }
})

const put = async (type: string, id: number): Promise<void> => {
  const file = join(served.folder, 'put.ndjson')
  await writeFile(file, `{"id":${id}}\n`)
  expect((await served.run(['load', type, file])).code).toBe(0)
}

const until = async (isThere: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 60_000; !isThere(); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('it never came')
  }
}

const lines = (
  run: CommandProcess,
): readonly { readonly objectCount: number; readonly objectType: string }[] =>
  run
    .out()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly objectCount: number; readonly objectType: string })

it.each(['SIGINT', 'SIGTERM'] as const)('follows every type, and ends cleanly with %s', async (signal) => {
  const to = `${signal}.sqlite`
  const run = startCommand(served, ['sync', 'thing', 'other', '--to', to, '--follow', '--json'])
  await until(() => lines(run).length === 2)
  const before = lines(run).map(({ objectCount }) => objectCount)
  await put('other', Date.now() % 1_000_000)
  await until(() => lines(run).length === 3)
  expect(lines(run)[2]).toMatchObject({ objectType: 'other', objectCount: (before[1] ?? 0) + 1 })
  expect([await run.end(signal), run.err()]).toEqual([0, ''])
  expect((await served.run(['verify', '--to', to])).code).toBe(0)
})

it('continues after the service was away', async () => {
  const stop = new AbortController()
  let isAway = false
  /** What was asked and answered: w for a request that waits, s for one that names a state. */
  let answered = ''
  let refused = 0
  const running = served.run(['sync', 'thing', '--to', 'away.sqlite', '--follow', '--json'], {
    stopAsked: stop.signal,
    fetch: async (url, init) => {
      const isWaiting = typeof init?.body === 'string' && init.body.includes('waitSeconds')
      if (isWaiting) answered += 'w'
      if (isAway) {
        refused += 1
        throw new TypeError('fetch failed')
      }
      const response = await fetch(url, init)
      if (typeof url === 'string' && url.endsWith('/snapshots')) answered += 's'
      return response
    },
  })
  await until(() => answered.endsWith('w'))
  isAway = true
  // The request that waits is answered; the next ones find nobody, for longer than one request is tried again.
  await put('thing', 77)
  await until(() => refused > 8)
  answered = ''
  isAway = false
  await until(() => /s.*w$/.test(answered))
  stop.abort()
  const { code, out } = await running
  expect([code, out.trim().split('\n').length]).toEqual([0, 2])
  expect((await served.run(['verify', '--to', 'away.sqlite'])).out).toContain('checksum equal')
})
