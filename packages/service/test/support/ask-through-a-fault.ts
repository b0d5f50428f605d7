// Callers that keep sending requests during a fault, and what each was answered.
import { setTimeout as sleep } from 'node:timers/promises'
import { refusalOf } from './error-answer.ts'
import type { Answer } from './walk-over-http.ts'

export interface TimedAnswer {
  /** When the answer arrived, on the clock of performance.now(). */
  readonly at: number
  readonly milliseconds: number
  /** The name of an error; undefined for the right answer. */
  readonly errorName: string | undefined
}

export interface Asking {
  readonly answers: readonly TimedAnswer[]
  /** Resolves when each caller has its last answer. */
  readonly stop: () => Promise<void>
}

/** An answer that is neither right nor an error of the table fails the test. */
export function keepAsking(
  callers: number,
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
): Asking {
  const answers: TimedAnswer[] = []
  const stopping = new AbortController()
  const caller = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const from = performance.now()
      const answer = await ask()
      const at = performance.now()
      if (answer.status === 200 && !isRight(answer)) throw new Error(`wrong: ${answer.text.slice(0, 300)}`)
      const errorName = answer.status === 200 ? undefined : refusalOf(answer).errorName
      answers.push({ at, milliseconds: at - from, errorName })
      await sleep(5)
    }
  }
  const all = Promise.all(Array.from({ length: callers }, caller))
  // The caller of `stop` handles a failure; without this it would be unhandled until then and end the process.
  all.catch(() => {})
  return {
    answers,
    stop: async () => {
      stopping.abort()
      await all
    },
  }
}

export const errorNamesOf = (answers: readonly TimedAnswer[]): readonly string[] =>
  [...new Set(answers.flatMap(({ errorName }) => (errorName === undefined ? [] : [errorName])))].toSorted()
