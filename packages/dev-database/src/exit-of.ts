import type { ChildProcess } from 'node:child_process'

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Settles once the process has ended; rejects when it could not be started at all. */
export async function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
