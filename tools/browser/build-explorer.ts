// The explorer is built if its source is newer than what was built, so that no test and no proof is about an older page. A build
// empties the folder that every service reads when it starts, so what is up to date is left alone, and two builds never overlap.
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const explorer = join(root, 'packages/explorer')
const sources = [
  join(explorer, 'app'),
  join(explorer, 'vite.config.ts'),
  join(root, 'packages/client/src'),
  join(root, 'package-lock.json'),
]
/** The last file that a build writes. */
const lastBuilt = join(explorer, 'dist/pages/index.html.br')
const lock = join(explorer, '.building')
const longestBuildMs = 120_000

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const newest = (path: string): number =>
  statSync(path).isDirectory()
    ? Math.max(
        ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) =>
          changedAt(join(path, name)),
        ),
      )
    : changedAt(path)

const isUpToDate = (): boolean => changedAt(lastBuilt) > Math.max(...sources.map(newest))

export async function buildExplorer(): Promise<void> {
  const deadline = performance.now() + longestBuildMs
  while (!(await takesLock())) {
    if (performance.now() > deadline)
      throw new Error(`${lock} is in the way: a build was cut off. Remove it, and run this again.`)
    await sleep(100)
  }
  try {
    if (!isUpToDate()) await run('npm', ['run', 'build:pages', '-w', '@octavo/explorer'], { cwd: root })
  } finally {
    await rmdir(lock)
  }
}

/** To make a folder either succeeds or not, for one process only. */
const takesLock = (): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    () => false,
  )
