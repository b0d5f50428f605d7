import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '@octavo/dev-database'
import { listenAnywhere, nothingRuns, readyStatus, whatDevRuns } from './dev/what-dev-runs.ts'

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const command = (port: number) => [
  process.execPath,
  '--conditions=@octavo/source',
  join(import.meta.dirname, 'dev.ts'),
  `--port=${port}`,
]

const start = ([program = '', ...argv]: readonly string[]) => {
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  return { child, output: () => output }
}

const everything = {
  running: [expect.any(Number), expect.any(Number)],
  folder: true,
  serviceAnswers: true,
  databaseAnswers: true,
}

const ready = async (port: number): Promise<void> => {
  await expect.poll(() => readyStatus(port)).toBe(200)
}

it('is ready soon, and Ctrl-C ends everything', async () => {
  const port = await freePort()
  const { child, output } = start(command(port))
  await ready(port)
  const left = whatDevRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await left()).toEqual(nothingRuns)
})

it('leaves nothing behind when it is killed', async () => {
  const port = await freePort()
  const { child, output } = start(command(port))
  await ready(port)
  const left = whatDevRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGKILL')
  await expect.poll(left).toEqual(nothingRuns)
})

it('leaves nothing behind when the process that started it is killed', async () => {
  const port = await freePort()
  // `wait` keeps the shell running, as npm keeps running while its script runs.
  const { child, output } = start(['/bin/sh', '-c', '"$@" & wait', 'sh', ...command(port)])
  await ready(port)
  const left = whatDevRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGKILL')
  await expect.poll(left).toEqual(nothingRuns)
})

it('says in one sentence that the port is in use', async () => {
  const { server, port } = await listenAnywhere()
  const { child, output } = start(command(port))
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(output()).toBe(`Port ${port} is in use: stop what uses it, or choose another with --port.\n`)
  server.close()
})
