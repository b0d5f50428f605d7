import { getuid } from 'node:process'
import { runProgram } from './run-program.ts'

/** The user that the server runs as; empty if it is the current user. */
export type ServerIdentity = { readonly uid?: number; readonly gid?: number }

// PostgreSQL refuses to run as root, and CI containers usually are root. Where PostgreSQL was never installed, its user is
// missing, too; "nobody" is everywhere.
const users = ['postgres', 'nobody'] as const

export async function serverIdentity(): Promise<ServerIdentity> {
  if (getuid?.() !== 0) return {}
  for (const user of users) {
    const [uid, gid] = await Promise.all([runProgram('id', ['-u', user]), runProgram('id', ['-g', user])])
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${users.join(' or ')} to run it as: create the user postgres.`,
  )
}
