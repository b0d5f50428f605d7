import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@octavo/dev-database'
import { expect, it } from 'vitest'
import { runProgram } from '../program.ts'
import { testContext } from '../../test/support/test-context.ts'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'

it('dev serves the example with the token that it prints, and Ctrl-C ends all of it', async () => {
  const port = String(await freePort())
  const child = spawn(process.execPath, [builtProgram('octavo'), 'dev', '--port', port], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for await (const text of child.stdout) {
    said += String(text)
    if (said.includes('Ctrl-C stops it.')) break
  }
  const environment = {
    OCTAVO_URL: /OCTAVO_URL=(\S+)/.exec(said)?.[1],
    OCTAVO_TOKEN: /OCTAVO_TOKEN=(\S+)/.exec(said)?.[1],
  }
  const { context, noted } = testContext({ environment, fetch: globalThis.fetch })
  expect(await runProgram(['list', 'employee'], context)).toBe(0)
  expect(noted()).toBe('12 objects.\n')

  const taken = testContext()
  expect(await runProgram(['dev', '--port', port], taken.context)).toBe(1)
  expect(taken.noted()).toBe(`Port ${port} is in use: stop what uses it, or choose another with --port.\n`)

  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed')
  const database = new URL(/postgres:\S+(?=,)/.exec(said)?.[0] ?? '')
  await expect(fetch(`http://${database.host}`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
