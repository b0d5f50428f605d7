/** Asserts what must always hold. Each id occurs once in the code, so one log line leads to one line of code. */
export function invariant(condition: unknown, id: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${id}`)
}
