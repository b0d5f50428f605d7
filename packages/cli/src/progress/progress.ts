// The progress of a long command: on a terminal one line that is redrawn, elsewhere a line every few seconds.
import type { Output } from '../output/output.ts'
import { fitText } from '../output/text-width.ts'

export interface Progress {
  /** Prints a message above the progress line. */
  readonly say: (text: string) => void
  /** Removes the line; the summary reports what was done. */
  readonly stop: () => void
}

const redrawMs = 200
const sayEveryMs = 5_000
const clearLine = '\r\u001B[K'

type ShownOn = Pick<Output, 'note' | 'notesAreShown' | 'showsProgress' | 'columns'>

export function showProgress(output: ShownOn, describe: () => string): Progress {
  const { note, notesAreShown } = output
  if (output.showsProgress === false) return { say: () => {}, stop: () => {} }
  const draw = (): void => note(`${clearLine}${fitText(describe(), output.columns() - 1)}`)
  const timer = setInterval(
    () => (notesAreShown ? draw() : note(`${describe()}\n`)),
    notesAreShown ? redrawMs : sayEveryMs,
  )
  // Progress must not keep a failed command alive.
  timer.unref()
  return {
    say: (text) => {
      note(notesAreShown ? `${clearLine}${text}\n` : `${text}\n`)
      if (notesAreShown) draw()
    },
    stop: () => {
      clearInterval(timer)
      if (notesAreShown) note(clearLine)
    },
  }
}
