// Checks wait until what they need is known: at a moment when no writer waits for an answer, every version up to then is.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './findings.ts'
import { typeNames, type History } from './history.ts'
import type { Run } from './run.ts'

export interface Checks extends Pick<Run, 'later' | 'turn'> {
  /** A write has begun. */
  readonly waitFor: (written: Promise<void>) => void
  readonly make: () => Promise<void>
}

export function checksTaken(history: History, { violation, violations, count }: Findings): Checks {
  let waiting: (() => void)[] = []
  const underWay = new Set<Promise<void>>()
  let open: PromiseWithResolvers<void> | undefined
  return {
    later: (check) => waiting.push(check),
    turn: () => open?.promise ?? Promise.resolve(),
    waitFor: (written) => {
      underWay.add(written)
      void written.finally(() => underWay.delete(written))
    },
    make: async () => {
      open = Promise.withResolvers()
      // A writer whose turn it was a moment ago begins first.
      await sleep(1)
      while (underWay.size > 0) await Promise.all(underWay)
      for (const type of typeNames) history[type].settle()
      const due = waiting
      waiting = []
      for (const check of due) {
        try {
          check()
        } catch (error) {
          violation('a check failed', String(error))
        }
      }
      count('times checked')
      const commits = typeNames.map((type) => `${history[type].commits().length} of ${type}`).join(', ')
      console.log(
        `${new Date().toISOString()} ${due.length} checks, commits: ${commits}, ${violations()} violations`,
      )
      open.resolve()
      open = undefined
    },
  }
}
