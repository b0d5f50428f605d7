// The requests of README.md, run as they are written, answer what README.md says.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort, readyStatus } from './dev/what-dev-runs.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The page token of an answer is another one every time; README.md shows this in its place. */
const anyToken = '<page token>'

/** Each request of README.md and the answer that follows it. */
const examples = [...readme.matchAll(/```sh\n(curl [^`]+)```\n\n```json\n([^`]+)```/g)].map((match) => ({
  revision: match[1]?.includes('/api/v1/') === true ? '1.0' : '2.0',
  command: match[1] ?? '',
  answer: match[2] ?? '',
}))

let dev: ChildProcess
let port = 0
let token = ''

beforeAll(async () => {
  port = await freePort()
  dev = spawn(
    process.execPath,
    ['--conditions=@octavo/source', join(import.meta.dirname, 'dev.ts'), `--port=${port}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  dev.stdout?.on('data', (text) => (output += text))
  await vi.waitFor(() => expect(output).toMatch(/Ctrl-C ends it/), { timeout: 30_000 })
  token = /export TOKEN=(\S+)/.exec(output)?.[1] ?? ''
  await vi.waitFor(async () => expect(await readyStatus(port)).toBe(200), { timeout: 20_000 })
}, 60_000)

afterAll(() => {
  dev.kill('SIGTERM')
})

it('shows one request and its answer of each revision', () => {
  expect(examples.map(({ revision }) => revision)).toEqual(['1.0', '2.0'])
})

it.for(examples)('the request to revision $revision answers what is shown', ({ command, answer }) => {
  const here = command.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  const received = execFileSync('/bin/sh', ['-c', `${here.trim()} -sS`], {
    env: { ...process.env, TOKEN: token },
    encoding: 'utf8',
  })
  const page = JSON.parse(received) as { nextPageToken?: string }
  if (page.nextPageToken !== undefined) {
    expect(page.nextPageToken).toMatch(/^[A-Za-z0-9_-]+$/)
    page.nextPageToken = anyToken
  }
  expect(page).toEqual(JSON.parse(answer))
})
