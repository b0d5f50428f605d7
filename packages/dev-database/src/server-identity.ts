import { getuid } from 'node:process'
import { runProgram } from './run-program.ts'

/** The user that the server runs as; empty if it is the current user. */
export type ServerIdentity = { readonly uid?: number; readonly gid?: number }

// PostgreSQL refuses to run as root, and CI containers usually are root.
export async function serverIdentity(): Promise<ServerIdentity> {
  if (getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([
    runProgram('id', ['-u', 'postgres']),
    runProgram('id', ['-g', 'postgres']),
  ])
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL does not run as root and there is no user "postgres" to run it as: create that user.',
    )
  }
  return { uid: Number(uid), gid: Number(gid) }
}
