import { watch } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../../packages')
const folders = ['protocol/src', 'service/src', 'service/migrations'].map((folder) => join(packages, folder))

// An editor saves in several steps, and a checkout changes many files.
const settleMilliseconds = 100

export type SourceWatch = {
  /** Resolves once no reaction is running. */
  readonly close: () => Promise<void>
}

/** Calls `react` after changes; never concurrently. */
export const watchSource = (react: () => Promise<void>): SourceWatch => {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const changed = (_: unknown, file: string | null) => {
    if (file === null || !/[.](ts|sql)$/.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(react)
    }, settleMilliseconds)
  }
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, changed))
  return {
    close: async () => {
      for (const watcher of watchers) watcher.close()
      clearTimeout(timer)
      await running
    },
  }
}
