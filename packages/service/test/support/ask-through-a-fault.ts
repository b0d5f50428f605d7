// Callers who go on asking while something breaks, and what each of them was told.
import { setTimeout as sleep } from 'node:timers/promises'
import { refusalOf } from './error-answer.ts'
import type { Answer } from './walk-over-http.ts'

export interface Told {
  /** When the answer was there, on the clock of performance.now(). */
  readonly at: number
  readonly milliseconds: number
  /** The name of an error, or nothing for the right answer. */
  readonly errorName: string | undefined
}

export interface Asking {
  readonly told: readonly Told[]
  /** Resolves when each caller has its last answer. */
  readonly stop: () => Promise<void>
}

/** An answer that is neither an error of the table nor right ends the test. */
export function keepAsking(
  callers: number,
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
): Asking {
  const told: Told[] = []
  const stopping = new AbortController()
  const caller = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const from = performance.now()
      const answer = await ask()
      const at = performance.now()
      if (answer.status === 200 && !isRight(answer)) throw new Error(`wrong: ${answer.text.slice(0, 300)}`)
      const errorName = answer.status === 200 ? undefined : refusalOf(answer).errorName
      told.push({ at, milliseconds: at - from, errorName })
      await sleep(5)
    }
  }
  const all = Promise.all(Array.from({ length: callers }, caller))
  // A failure is for whoever stops them; unheard until then it would end the process.
  all.catch(() => {})
  return {
    told,
    stop: async () => {
      stopping.abort()
      await all
    },
  }
}

export const errorNamesOf = (told: readonly Told[]): readonly string[] =>
  [...new Set(told.flatMap(({ errorName }) => (errorName === undefined ? [] : [errorName])))].toSorted()
