// The only way a cluster ends: whatever happens, this process stops its server and removes its folder.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerIdentity } from './server-identity.ts'
import { exitOf } from './exit-of.ts'

export type Guardian = {
  readonly folder: string
  /** Stops everything in the folder and removes it; resolves when that is done. */
  readonly dismiss: () => Promise<void>
}

// Passed as text, because the server's user may not be able to read our checkout.
const script = readFileSync(new URL('../guardian.sh', import.meta.url), 'utf8')

// A socket address is limited to about 100 bytes, of which the rest of the path needs 40.
const longestParent = 60

export async function startGuardian(identity: ServerIdentity): Promise<Guardian> {
  const parent = tmpdir().length > longestParent ? '/tmp' : tmpdir()
  const folder = join(parent, `octavo-pg-${randomBytes(6).toString('hex')}`)
  const guardian = spawn('/bin/sh', ['-c', script, 'octavo-pg-guardian', folder], {
    ...identity,
    cwd: '/',
    // Its own session: Ctrl-C in the terminal reaches our process, not the guardian that has to clean up.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exit = exitOf(guardian)
  const ready = await Promise.race([
    new Promise<true>((resolve) => guardian.stdout.once('data', () => resolve(true))),
    exit.then(() => false),
  ])
  if (!ready) {
    const user = identity.uid === undefined ? 'this user' : `the user with the id ${identity.uid}`
    throw new Error(
      `The folder ${folder} could not be made: set TMPDIR to a folder that ${user} may write to.`,
    )
  }
  guardian.stdout.destroy()
  // A program that forgets to stop its cluster still exits, and the guardian with it.
  guardian.unref()
  return {
    folder,
    dismiss: async () => {
      guardian.ref()
      guardian.stdin.end()
      const { code } = await exit
      if (code !== 0) throw new Error(`The throwaway cluster in ${folder} could not be removed.`)
    },
  }
}
