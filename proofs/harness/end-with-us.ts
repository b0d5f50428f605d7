// An interrupted proof leaves nothing behind either: the processes it started and the folders it created end with this
// process.

import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  for (const child of children) killGroup(child, 'SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** For a child started with `detached`: it leads a process group, so that its own children can be reached. */
export const endWithUs = (child: ChildProcess): void => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

/** Signals the whole group, as Ctrl-C in a terminal does. */
export const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has already ended.
  }
}

/** Removes the folder at the latest when this process ends. */
export const removeWithUs = (folder: string): void => {
  folders.add(folder)
}

export const withTemporaryFolder = async <Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-proof-'))
  removeWithUs(folder)
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    folders.delete(folder)
  }
}
