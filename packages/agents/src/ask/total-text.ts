import type { Total } from './object-state.ts'

/** As an agent reads it. */
export function totalText({ objects, isBound }: Total): number | string {
  if (isBound) return `at least ${objects}`
  const number = Number(objects)
  return Number.isSafeInteger(number) ? number : objects
}
