/**
 * Does some work at regular intervals. A round that takes longer than the interval does not overlap with the next. Returns the
 * function that stops it and waits for the round in progress.
 */
export function regularly(
  everySeconds: number,
  round: () => Promise<void>,
  fail: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= round()
      .catch(fail)
      .finally(() => {
        running = undefined
      })
  }, everySeconds * 1_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
