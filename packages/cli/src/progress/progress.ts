// How far a long command is: one line that is redrawn on a terminal, a line every few seconds elsewhere.
import type { Output } from '../output/output.ts'
import { fitText } from '../output/text-width.ts'

export interface Progress {
  /** Tells something beside the progress, above its line. */
  readonly say: (text: string) => void
  /** Takes the line away; what was done is for the summary to say. */
  readonly stop: () => void
}

const redrawMs = 200
const sayEveryMs = 5_000
const clearLine = '\r\u001B[K'

type ShownOn = Pick<Output, 'note' | 'notesAreShown' | 'columns'>

export function showProgress(output: ShownOn, describe: () => string): Progress {
  const { note, notesAreShown } = output
  const draw = (): void => note(`${clearLine}${fitText(describe(), output.columns() - 1)}`)
  const timer = setInterval(
    () => (notesAreShown ? draw() : note(`${describe()}\n`)),
    notesAreShown ? redrawMs : sayEveryMs,
  )
  // A command that has failed must not be kept alive by its progress.
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
