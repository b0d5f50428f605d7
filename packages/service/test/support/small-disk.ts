// A file system of a few megabytes that can be filled. Only root can mount one, and not in every container.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  readonly grow: (megabytes: number) => void
  readonly remove: () => void
}

/** Undefined if the kernel does not allow it. Owned by the user that PostgreSQL runs as. */
export function makeSmallDisk(megabytes: number): SmallDisk | undefined {
  if (process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'octavo-disk-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  } catch {
    rmdirSync(folder)
    return undefined
  }
  run('chown', 'postgres', folder)
  return {
    folder,
    grow: (size) => run('mount', '-o', `remount,size=${size}m`, folder),
    remove: () => {
      run('umount', '--lazy', folder)
      rmdirSync(folder)
    },
  }
}

export function canMakeSmallDisk(): boolean {
  const disk = makeSmallDisk(1)
  disk?.remove()
  return disk !== undefined
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'pipe' })
}
