import { OctavoError } from '@octavo/client'
import type { ObjectSource } from './object-source.ts'

const atOnce = 8

/** Those of the keys that no object has, as far as the caller can see. */
export async function missingKeys(source: ObjectSource, keys: readonly string[]): Promise<readonly string[]> {
  const missing = new Set<string>()
  const waiting = keys.values()
  const work = async (): Promise<void> => {
    for (const key of waiting) {
      await source.get(key).catch((error: unknown) => {
        if (!(error instanceof OctavoError) || error.errorName !== 'ObjectNotFound') throw error
        missing.add(key)
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return keys.filter((key) => missing.has(key))
}
