import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

// A request needs a few bytes, and asking the system for them costs more than making them: they are fetched many at a time.
const store = randomBytes(4_096)
let used = 0

export function randomHex(digits: number): string {
  const bytes = Math.ceil(digits / 2)
  if (bytes > store.length) return randomBytes(bytes).toString('hex').slice(0, digits)
  if (used + bytes > store.length) {
    randomFillSync(store)
    used = 0
  }
  used += bytes
  return store.toString('hex', used - bytes, used).slice(0, digits)
}

export const randomUuid = (): string => randomUUID()
