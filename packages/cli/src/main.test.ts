import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtProgram } from '../../octavo/bundle/built-program.ts'

let server: Server
let url = ''

/** Accepts every request and answers none. */
beforeEach(async () => {
  server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const startMain = (...words: readonly string[]) => {
  const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
    env: { OCTAVO_URL: url, OCTAVO_TOKEN: 'oct_x', HOME: '/nowhere' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (text) => (said += String(text)))
  child.stderr.on('data', (text) => (said += String(text)))
  return { child, said: () => said, ended: once(child, 'exit') }
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a command that is stopped by %s ends with %i and no more words', async (signal, code) => {
  const asked = once(server, 'request')
  const { child, said, ended } = startMain('list', 'employee')
  await asked
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  expect(said()).toBe('')
})

it('prints its help and ends well', async () => {
  const { said, ended } = startMain('--help')
  expect(await ended).toEqual([0, null])
  expect(said()).toContain('Exit codes:')
})

it('prints the version of its package', async () => {
  const { said, ended } = startMain('--version')
  expect(await ended).toEqual([0, null])
  const text = await readFile(join(import.meta.dirname, '../package.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ version: said().trim() })
})
