import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

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

const listenAnywhere = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  return { server, port: address.port }
}

const freePort = async (): Promise<number> => {
  const { server, port } = await listenAnywhere()
  server.close()
  return port
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined)).once('error', () => resolve(false))
  })

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Everything that must be gone afterwards. */
const whatRuns = (port: number, output: string) => {
  const databasePort = Number(/postgres:.*:(\d+)[/]/.exec(output)?.[1])
  const servicePid = Number(/"pid":(\d+)/.exec(output)?.[1])
  const processes = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).stdout
  const postgres = new RegExp(`^ *(\\d+) \\S*postgres -D (\\S+) .*port=${databasePort} `, 'm').exec(processes)
  const pids = [servicePid, Number(postgres?.[1])]
  const folder = postgres?.[2] ?? ''
  return async () => ({
    running: pids.filter(isRunning),
    folder: existsSync(folder),
    serviceAnswers: await isOpen(port),
    databaseAnswers: await isOpen(databasePort),
  })
}

const everything = {
  running: [expect.any(Number), expect.any(Number)],
  folder: true,
  serviceAnswers: true,
  databaseAnswers: true,
}
const nothing = { running: [], folder: false, serviceAnswers: false, databaseAnswers: false }

const readyWithin20Seconds = async (port: number): Promise<void> => {
  const status = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ status }) => status,
      () => 'no answer',
    )
  await expect.poll(status, { timeout: 20_000 }).toBe(200)
}

it('is ready within 20 seconds, and Ctrl-C ends everything', async () => {
  const port = await freePort()
  const { child, output } = start(command(port))
  await readyWithin20Seconds(port)
  const left = whatRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await left()).toEqual(nothing)
})

it('leaves nothing behind when it is killed', async () => {
  const port = await freePort()
  const { child, output } = start(command(port))
  await readyWithin20Seconds(port)
  const left = whatRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGKILL')
  await expect.poll(left, { timeout: 10_000 }).toEqual(nothing)
})

it('leaves nothing behind when the process that started it is killed', async () => {
  const port = await freePort()
  // `wait` keeps the shell, as npm stays while its script runs.
  const { child, output } = start(['/bin/sh', '-c', '"$@" & wait', 'sh', ...command(port)])
  await readyWithin20Seconds(port)
  const left = whatRuns(port, output())
  expect(await left()).toEqual(everything)

  child.kill('SIGKILL')
  await expect.poll(left, { timeout: 10_000 }).toEqual(nothing)
})

it('says in one sentence that the port is in use', async () => {
  const { server, port } = await listenAnywhere()
  const { child, output } = start(command(port))
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(output()).toBe(`Port ${port} is in use: stop what uses it, or choose another with --port.\n`)
  server.close()
})
