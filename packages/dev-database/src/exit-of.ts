import type { ChildProcess } from 'node:child_process'

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Resolves once the process has ended; rejects if it could not be started at all. */
export async function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
