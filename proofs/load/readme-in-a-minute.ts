// Follows README.md as a new user does: clone, install, demo, the requests and commands as written.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import { freePort } from '@octavo/dev-database'
import { expect, type Proof } from '../harness/prove.ts'
import { endWithUs, killGroup, withTemporaryFolder } from '../harness/end-with-us.ts'
import { strangersEnvironment } from '../harness/inside-clone.ts'
import { lastLines, runToEnd } from '../harness/run-to-end.ts'

const root = join(import.meta.dirname, '../..')
const mostSeconds = 60

/** The clone is of the last commit: a new user does not get uncommitted changes. */
export const proveReadme = ({ point, say }: Proof): Promise<void> =>
  point(`From a fresh clone, curl gets the first page of the demo within ${mostSeconds} s of npm ci`, () =>
    withTemporaryFolder(async (folder) => {
      const clone = join(folder, 'octavo')
      const env = strangersEnvironment()
      const run = async (command: readonly string[], where: string, more: NodeJS.ProcessEnv = {}) => {
        const { code, output } = await runToEnd(command, { in: where, env: { ...env, ...more } })
        expect(code === 0, `${command.join(' ')} failed:\n   | ${lastLines(output, 20)}`)
        return output
      }
      await run(['git', 'clone', '--quiet', root, clone], folder)
      const readme = readReadme(readFileSync(join(clone, 'README.md'), 'utf8'))
      await run(['npm', 'ci', '--prefer-offline', '--loglevel=error'], clone)

      const installedAt = performance.now()
      const demo = await startDemo(clone, env)
      try {
        const ask = (command: string) => run(['/bin/sh', '-c', `${command.trim()} -sS`], clone, demo.exports)
        await ask(readme.requests[0]?.command ?? '')
        const seconds = (performance.now() - installedAt) / 1_000
        say(`the first page after ${seconds.toFixed(1)} s`)
        expect(seconds < mostSeconds, `the first page came after ${seconds.toFixed(1)} s`)
        // README.md shows the totals of the whole demo.
        await demo.loaded
        for (const { command, answer } of readme.requests) {
          const received = await ask(command)
          const page = withoutChance(JSON.parse(received))
          expect(
            isDeepStrictEqual(page, JSON.parse(answer)),
            `README.md shows another answer than ${received}`,
          )
        }
        for (const command of readme.commands) {
          say(`${command}: ${lastLines(await run(['/bin/sh', '-c', command], clone, demo.exports), 1)}`)
        }
      } finally {
        await demo.stop()
      }
      return `${readme.requests.length} requests answered as written, ${readme.commands.length} commands ran`
    }),
  )

function readReadme(text: string) {
  const blocks = [...text.matchAll(/```sh\n([^`]+)```(?:\n\n```json\n([^`]+)```)?/g)]
  const requests = blocks.flatMap(([, command = '', answer]) =>
    answer === undefined || !command.startsWith('curl ') ? [] : [{ command, answer }],
  )
  const commands = blocks
    .flatMap(([, command = '']) => (command.startsWith('curl ') ? [] : command.trim().split('\n')))
    .filter((line) => !['npm ci', 'npm run demo'].includes(line))
  expect(requests.length >= 2 && commands.length >= 3, 'README.md lacks its requests or its commands')
  expect(
    blocks.some(([, command]) => command === 'npm ci\nnpm run demo\n'),
    'README.md does not start the demo',
  )
  expect(
    blocks.filter(([, command]) => command?.startsWith('curl ')).length === requests.length,
    'README.md has a request without its answer',
  )
  return { requests, commands }
}

/** Replaces texts that differ every time by those that README.md shows. */
function withoutChance(page: { data: { rid?: string }[]; nextPageToken?: string }): unknown {
  expect(/^[A-Za-z0-9_-]+$/.test(page.nextPageToken ?? ''), 'a page of one has no page token')
  return {
    ...page,
    data: page.data.map((record) => ('rid' in record ? { ...record, rid: '<rid>' } : record)),
    nextPageToken: '<page token>',
  }
}

async function startDemo(clone: string, env: NodeJS.ProcessEnv) {
  const port = await freePort()
  const child = spawn('npm', ['run', '--silent', 'demo', '--', '--port', String(port)], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  endWithUs(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  child.stdout.on('data', (text) => (output += String(text)))
  const saying = (words: string) =>
    new Promise<void>((resolve, reject) => {
      child.stdout.on('data', () => output.includes(words) && resolve())
      void ended.then(() => reject(new Error(`the demo ended by itself:\n${output}`)))
    })
  const loaded = saying('objects are loaded')
  // Awaited only after the first page.
  loaded.catch(() => {})
  await saying('Ctrl-C stops it')
  const exports = Object.fromEntries(
    [...output.matchAll(/^ *export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  const stop = async () => {
    killGroup(child, 'SIGINT')
    await ended
  }
  return { exports, loaded, stop }
}
