// How long this process holds its event loop: the CPU time between turns, because on a busy machine the time of day says little.
import process from 'node:process'

export interface TurnWatch {
  /** CPU milliseconds that 99 of 100 turns stay below. */
  readonly end: () => number
}

export function watchTurns(): TurnWatch {
  const milliseconds: number[] = []
  let before = cpuMilliseconds()
  let timer: NodeJS.Timeout
  const turn = (): void => {
    const now = cpuMilliseconds()
    milliseconds.push(now - before)
    before = now
    timer = setTimeout(turn, 1)
  }
  timer = setTimeout(turn, 1)
  return {
    end: () => {
      clearTimeout(timer)
      return milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? 0
    },
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
