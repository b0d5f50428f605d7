import type { Output } from '../output/output.ts'
import { fitText } from '../output/text-width.ts'
import type { OnPause } from './retrying.ts'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'

const redrawMs = 1_000
const clearLine = '\r\u001B[K'

type ShownOn = Pick<Output, 'note' | 'notesAreShown' | 'columns'>

/** Why and how long at most a request waits for the service. */
export interface Waiting {
  readonly onPause: OnPause
  /** Called when the next attempt begins. */
  readonly end: () => void
  /** Undefined while nothing waits. */
  readonly text: () => string | undefined
}

export function waitingForService(): Waiting {
  let shown: { readonly because: string; readonly until: number } | undefined
  return {
    onPause: (error, millisecondsLeft) => {
      shown = { because: causeOf(error), until: performance.now() + millisecondsLeft }
    },
    end: () => (shown = undefined),
    text: () => {
      if (shown === undefined) return undefined
      const seconds = Math.max(0, Math.round((shown.until - performance.now()) / 1_000))
      return `waiting for the service (${shown.because}), giving up in ${seconds} s`
    },
  }
}

/** Says that a request waits: on a terminal in one line that is redrawn and removed at the end, elsewhere in one line. */
export async function sayingThatItWaits<Answer>(
  output: ShownOn,
  work: (onPause: OnPause) => Promise<Answer>,
): Promise<Answer> {
  const { note, notesAreShown } = output
  const waiting = waitingForService()
  let timer: NodeJS.Timeout | undefined
  const draw = (): void => note(`${clearLine}${fitText(waiting.text() ?? '', output.columns() - 1)}`)
  try {
    return await work((error, millisecondsLeft) => {
      const isFirst = waiting.text() === undefined
      waiting.onPause(error, millisecondsLeft)
      if (!notesAreShown) {
        if (isFirst) note(`${waiting.text()}\n`)
        return
      }
      draw()
      timer ??= setInterval(draw, redrawMs).unref()
    })
  } finally {
    clearInterval(timer)
    if (timer !== undefined) note(clearLine)
  }
}

function causeOf(error: unknown): string {
  if (error instanceof ServiceUnreachable) return error.reason
  if (!(error instanceof ServiceRefused)) return 'no answer'
  return error.status === 429 ? 'it throttles requests' : 'it is overloaded or starting'
}
