/**
 * The result of the work, or 'stopped' as soon as the signal is aborted. Not Promise.race with one promise for the signal:
 * that promise would retain everything it was ever raced against, which was measured as the whole file.
 */
export const orStopped = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | 'stopped'> =>
  new Promise((resolve, reject) => {
    const stop = (): void => resolve('stopped')
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
