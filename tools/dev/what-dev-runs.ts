// What `npm run dev` starts, seen from outside: dev.test.ts and prove-workspace.ts both check what it leaves behind.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname } from 'node:path'

export type WhatRuns = {
  /** The process ids of the service and PostgreSQL. */
  readonly running: readonly number[]
  /** Whether the folder of the throwaway PostgreSQL exists. */
  readonly folder: boolean
  readonly serviceAnswers: boolean
  readonly databaseAnswers: boolean
}

export const nothingRuns: WhatRuns = {
  running: [],
  folder: false,
  serviceAnswers: false,
  databaseAnswers: false,
}

/** Call it while dev runs, with the output of dev; the returned function tells at any time how much is still running. */
export const whatDevRuns = (port: number, output: string): (() => Promise<WhatRuns>) => {
  const databasePort = Number(/postgres:.*:(\d+)[/]/.exec(output)?.[1])
  const servicePid = Number(/"pid":(\d+)/.exec(output)?.[1])
  const processes = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).stdout
  const postgres = new RegExp(`^ *(\\d+) \\S*postgres -D (\\S+) .*port=${databasePort} `, 'm').exec(processes)
  const pids = [servicePid, Number(postgres?.[1])]
  const folder = dirname(postgres?.[2] ?? '')
  return async () => ({
    running: pids.filter(isRunning),
    folder: existsSync(folder),
    serviceAnswers: await isOpen(port),
    databaseAnswers: await isOpen(databasePort),
  })
}

export const readyStatus = (port: number): Promise<number | 'no answer'> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status,
    () => 'no answer',
  )

export const listenAnywhere = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  return { server, port: address.port }
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
