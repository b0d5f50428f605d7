// A proof that is interrupted leaves nothing either: what it started and what it made ends with this process.

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

/** For a child started with `detached`: it leads a group, so that its own children can be reached. */
export const endWithUs = (child: ChildProcess): void => {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

/** Ctrl-C in a terminal reaches a whole group; so does this. */
export const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has already ended.
  }
}

/** The folder is removed at the latest when this process ends. */
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
