/** For what cannot happen. The id is written once in the code, so one log line finds one line of code. */
export function invariant(condition: unknown, id: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${id}`)
}
