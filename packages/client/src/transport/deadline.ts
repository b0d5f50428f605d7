// One signal for one attempt: the caller's signals and a time-out. Built by hand, because AbortSignal.any keeps its signal
// alive for as long as the caller's signal lives, and a walk makes one for each page.

export interface Deadline {
  readonly signal: AbortSignal
  readonly hasPassed: () => boolean
  readonly clear: () => void
}

export function startDeadline(signals: readonly AbortSignal[], seconds: number): Deadline {
  const controller = new AbortController()
  let passed = false
  const timer = setTimeout(() => {
    passed = true
    controller.abort()
  }, seconds * 1_000)
  const abort = () => controller.abort()
  for (const signal of signals) signal.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    clear: () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}

export function throwIfAborted(signals: readonly AbortSignal[]): void {
  for (const signal of signals) signal.throwIfAborted()
}

/** Sleeps; resolves early, without an error, when a signal is aborted. */
export function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) return resolve()
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    for (const signal of signals) signal.addEventListener('abort', end)
  })
}
