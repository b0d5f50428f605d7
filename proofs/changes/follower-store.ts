// A copy and its token in one file, which is replaced in one step, so that a reader finds both of the same state.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { StoredCopy } from './follower-order.ts'

export function readStored(file: string): StoredCopy | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoredCopy
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function store(file: string, copy: StoredCopy): void {
  const beside = `${file}.new`
  writeFileSync(beside, JSON.stringify(copy))
  renameSync(beside, file)
}
