import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Liveness {
  readonly asked: number
  /** In milliseconds. */
  readonly p99: number
  readonly worst: number
}

/** Starts polling; returns a function that stops it and reports how long the answers took. */
export async function watchLiveness(url: string): Promise<() => Promise<Liveness>> {
  const child = fork(new URL('./liveness-process.ts', import.meta.url), [url])
  await once(child, 'message')
  let report: Promise<Liveness> | undefined
  const stop = async (): Promise<Liveness> => {
    const answered = once(child, 'message')
    child.send('stop')
    const [times] = (await answered) as [readonly number[]]
    const sorted = times.toSorted((a, b) => a - b)
    return {
      asked: sorted.length,
      p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      worst: sorted.at(-1) ?? 0,
    }
  }
  return () => (report ??= stop())
}
