import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'
import { serveOctavo, typing, type ServedOctavo } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveOctavo)
let homeFolder = ''
beforeEach(() => {
  homeFolder = mkdtempSync(join(tmpdir(), 'octavo-login-'))
})
afterEach(() => rmSync(homeFolder, { recursive: true }))

const run = (parts: Parameters<ServedOctavo['runWith']>[0], ...words: readonly string[]) =>
  octavo.runWith({ homeFolder, environment: {}, ...parts }, ...words)
const piped = (text: string) => ({ input: { stream: Readable.from([text]), isTerminal: false } })
const file = (): string => join(homeFolder, '.config/octavo/profiles.yaml')

it('asks at a terminal, says what the token may do, and saves it for its user only', async () => {
  const ran = await run(typing(`${octavo.url}\r${octavo.token}\r`), 'login')
  expect(ran.code).toBe(0)
  expect(ran.out).toContain(
    'The token may read, write objects, manage definitions and grants and manage access tokens.',
  )
  expect(ran.out).toContain('It has no grant on any ontology yet.')
  expect(ran.out + ran.err).not.toContain(octavo.token)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(await run({}, 'status')).toMatchObject({ code: 0 })
})

it('in a script takes the token from standard input or the environment', async () => {
  expect(await run(piped(`${octavo.token}\n`), 'login', '--url', octavo.url)).toMatchObject({ code: 0 })
  const environment = { OCTAVO_TOKEN: octavo.token, OCTAVO_PROFILE: 'two' }
  const second = await run({ environment }, 'login', '--url', octavo.url)
  expect(second.out).toContain('The default profile is still local.')
  expect((await run({}, 'profile', 'list')).out).toMatch(/\* +local .*oct_.{4}…\n +two /)
})

it('names the scopes that a token has', async () => {
  const { out } = await octavo.run('token', 'create', '--subject', 'r', '--scope', 'api:ontologies-write')
  const ran = await run(piped(out), 'login', '--url', octavo.url, '--json')
  expect(JSON.parse(ran.out)).toMatchObject({ rights: ['write'] })
})

it('saves nothing that does not work', async () => {
  const wrong = await run(piped('oct_wrong'), 'login', '--url', octavo.url)
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('The service refused the token') })
  const empty = await run(piped(''), 'login', '--url', octavo.url)
  expect(empty).toMatchObject({ code: 2, err: expect.stringContaining('The token is missing') })
  const secure = octavo.url.replace('http:', 'https:')
  const scheme = await run(piped(octavo.token), 'login', '--url', secure)
  expect(scheme).toMatchObject({ code: 1, err: expect.stringContaining(`use ${octavo.url}`) })
  expect(() => readFileSync(file())).toThrow('ENOENT')
})

it('lists, chooses, shows and removes profiles, and keeps comments', async () => {
  expect((await run({}, 'profile', 'list')).out).toContain('make one with octavo login')
  mkdirSync(join(file(), '..'), { recursive: true })
  const text =
    '# mine\ndefault: a\nprofiles:\n  a: { url: http://a } # first\n  b: { url: http://b, token: oct_secret12 }\n'
  writeFileSync(file(), text, { mode: 0o600 })
  expect((await run({}, 'profile', 'use', 'b')).out).toBe('The default profile is now b.\n')
  expect(readFileSync(file(), 'utf8')).toMatch(/# mine\ndefault: b[^]*# first/)
  const shown = await run({}, 'profile', 'show')
  expect(shown.out).toBe('name      b\nurl       http://b\ntoken     oct_secr…\n')
  expect(await run({}, 'profile', 'use', 'c')).toMatchObject({
    code: 2,
    err: `There is no profile c in ${file()}. It has a, b.\n`,
  })
  expect((await run({}, 'profile', 'remove', 'b')).out).toContain('It was the default')
  expect((await run({}, 'profile', 'list', '--json')).out).toBe(
    '{"name":"a","url":"http://a","default":false}\n',
  )
})

const onTerminal = `
import os, pty, sys, time
url, token, node, *words = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0: os.execv(node, [node, *words])
seen = b''
def until(text):
    global seen
    while text not in seen: seen += os.read(fd, 1000)
until(b': '); os.write(fd, url.encode() + b'x\\x7f\\r')
until(b'shown): '); os.write(fd, token.encode() + b'\\r')
try:
    while True:
        data = os.read(fd, 1000)
        if not data: break
        seen += data
except OSError: pass
sys.stdout.write(seen.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

it('a real terminal shows the url that is typed and never the token', async () => {
  const main = [builtProgram('octavo'), 'login']
  const child = spawn('python3', ['-c', onTerminal, octavo.url, octavo.token, process.execPath, ...main], {
    env: { HOME: homeFolder, PATH: process.env['PATH'], TERM: 'xterm' },
  })
  let said = ''
  child.stdout.on('data', (text) => (said += String(text)))
  child.stderr.on('data', (text) => (said += String(text)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(said).toContain(`URL of the service [http://127.0.0.1:8080]: ${octavo.url}x\b \b`)
  expect(said).not.toContain(octavo.token.slice(0, 12))
  expect(said).toContain('Saved as the profile local')
  expect(code).toBe(0)
})
