// One export at a time writes to a name. The lock is one of the kernel, which drops it when a process ends, however it ends. Node
// takes such locks only through SQLite; the file that is locked stays empty.
import { constants, open, rm, stat, type FileHandle } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { CliError, wrongUse } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'

/** Releases the lock. */
export type Unlock = () => Promise<void>

/** Refuses if another process has it. */
export async function lockExport(path: string, out: string): Promise<Unlock> {
  for (;;) {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'ELOOP' ? inTheWay(path, out) : error
      },
    )
    const lock = await lockFile(file, path, out).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    if (await isStillThere(file, path)) {
      return async () => {
        // Removed before it is unlocked, so that a process that has opened it meanwhile sees that it is gone.
        await rm(path, { force: true }).catch(() => {})
        lock.close()
        await file.close()
      }
    }
    // Its holder removed it after we opened it.
    lock.close()
    await file.close()
  }
}

async function lockFile(file: FileHandle, path: string, out: string): Promise<DatabaseSync> {
  if ((await file.stat()).size > 0) throw inTheWay(path, out)
  const lock = new DatabaseSync(path)
  try {
    // A journal would be another file.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error)) throw error
    const message =
      error.errcode === busy
        ? `Another octavo export is writing ${out}: let it finish, or stop it, or give --out another name.`
        : `${path} cannot be locked (${error.message}): give --out a name on a disk of this machine.`
    throw new CliError(message, exitCodes.failed, { cause: error })
  }
}

const busy = 5

const inTheWay = (path: string, out: string): Error =>
  wrongUse(
    `${path} is in the way: octavo export keeps an empty file of that name while it writes ${out}. Rename it, or give --out another name.`,
  )

/** While the file is open, no other gets its number. */
async function isStillThere(file: FileHandle, path: string): Promise<boolean> {
  const opened = await file.stat({ bigint: true })
  const there = await stat(path, { bigint: true }).catch(() => undefined)
  return there !== undefined && there.ino === opened.ino && there.dev === opened.dev
}
