import type { Output } from '../output/output.ts'
import { fitText } from '../output/text-width.ts'
import type { OnPause } from './retrying.ts'
import { ServiceRefused, ServiceUnreachable } from './service-errors.ts'

const redrawMs = 1_000
const clearLine = '\r\u001B[K'

type ShownOn = Pick<Output, 'note' | 'notesAreShown' | 'columns'>

/**
 * Says that a request waits for the service, why, and for how long at most: on a terminal in one line that is redrawn and
 * removed at the end, elsewhere in one line.
 */
export async function sayingThatItWaits<Answer>(
  output: ShownOn,
  work: (onPause: OnPause) => Promise<Answer>,
): Promise<Answer> {
  const { note, notesAreShown } = output
  let shown: { readonly because: string; readonly until: number } | undefined
  let timer: NodeJS.Timeout | undefined
  const text = (): string => {
    const { because, until } = shown ?? { because: '', until: 0 }
    const seconds = Math.max(0, Math.round((until - performance.now()) / 1_000))
    return `waiting for the service (${because}), giving up in ${seconds} s`
  }
  const draw = (): void => note(`${clearLine}${fitText(text(), output.columns() - 1)}`)
  try {
    return await work((error, millisecondsLeft) => {
      const isFirst = shown === undefined
      shown = { because: causeOf(error), until: performance.now() + millisecondsLeft }
      if (!notesAreShown) {
        if (isFirst) note(`${text()}\n`)
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
