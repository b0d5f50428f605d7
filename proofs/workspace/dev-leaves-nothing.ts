import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from '@octavo/dev-database'
import { nothingRuns, readyStatus, whatDevRuns } from '../../tools/dev/what-dev-runs.ts'
import { expect } from '../harness/prove.ts'
import { endWithUs, killGroup } from '../harness/end-with-us.ts'
import { lastLines } from '../harness/run-to-end.ts'

type Circumstances = {
  readonly say: (line: string) => void
  readonly short: boolean
  readonly env: NodeJS.ProcessEnv
}

const endings: Readonly<Record<string, (npm: ChildProcess) => void>> = {
  'Ctrl-C': (npm) => killGroup(npm, 'SIGINT'),
  'kill -9 of npm': (npm) => npm.kill('SIGKILL'),
}

const readySeconds = 20
// The short form only prints the time it took, so that a busy machine does not fail a good change.
const patienceSeconds = { long: readySeconds, short: 60 } as const
const cleanUpSeconds = 15

/** `npm run dev` in a folder: it becomes ready, and however it ends, it leaves no process and no folder. */
export async function showDev(folder: string, circumstances: Circumstances): Promise<void> {
  for (const [name, end] of Object.entries(endings)) await showEnding(folder, circumstances, { name, end })
}

async function showEnding(
  folder: string,
  { say, short, env }: Circumstances,
  ending: { readonly name: string; readonly end: (npm: ChildProcess) => void },
): Promise<void> {
  const port = await freePort()
  const npm = spawn('npm', ['run', 'dev', '--', `--port=${port}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  endWithUs(npm)
  let output = ''
  npm.stdout.on('data', (text) => (output += text))
  npm.stderr.on('data', (text) => (output += text))

  try {
    const patience = short ? patienceSeconds.short : patienceSeconds.long
    const ready = await secondsUntil(async () => (await readyStatus(port)) === 200, patience)
    expect(ready !== undefined, `dev was not ready after ${patience} s:\n   | ${lastLines(output, 20)}`)
    const left = whatDevRuns(port, output)
    const before = await left()
    expect(
      before.running.length === 2 && before.folder && before.databaseAnswers,
      `the service and PostgreSQL of dev were not found: ${JSON.stringify(before)}`,
    )
    ending.end(npm)
    const gone = await secondsUntil(async () => isDeepStrictEqual(await left(), nothingRuns), cleanUpSeconds)
    expect(gone !== undefined, `after ${ending.name} there is still ${JSON.stringify(await left())}`)
    say(`npm run dev: ready after ${ready} s; nothing left ${gone} s after ${ending.name}`)
  } finally {
    killGroup(npm, 'SIGKILL')
  }
}

async function secondsUntil(
  isSo: () => Promise<boolean>,
  atMostSeconds: number,
): Promise<string | undefined> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  while (seconds() < atMostSeconds) {
    if (await isSo()) return seconds().toFixed(1)
    await sleep(50)
  }
  return undefined
}
