// The requests of README.md, run as they are written, answer what README.md says.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from './dev/what-dev-runs.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

/** The page token of an answer is another one every time; README.md shows this in its place. */
const anyToken = '<page token>'

/** Each request of README.md and the answer that follows it. */
const examples = [...readme.matchAll(/```sh\n(curl [^`]+)```\n\n```json\n([^`]+)```/g)].map((match) => ({
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
  await expect.poll(() => output, { timeout: 30_000 }).toMatch(/Ctrl-C ends it/)
  token = /export TOKEN=(\S+)/.exec(output)?.[1] ?? ''
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(ready, { timeout: 20_000 }).toBe(200)
}, 60_000)

afterAll(() => {
  dev.kill('SIGTERM')
})

it('shows one request and its answer of each revision', () => {
  expect(examples.map(({ command }) => /\/api\/(v1|example)\//.exec(command)?.[1])).toEqual(['v1', 'example'])
})

it.for(examples)('$command', ({ command, answer }) => {
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
