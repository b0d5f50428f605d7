import type { Style } from './style.ts'

/** Where a command writes. Results go to standard output, everything about how it goes to standard error. */
export interface Output {
  /** Standard output; resolves when there is room for more. The text brings its own line ends. */
  readonly write: (text: string | Uint8Array) => Promise<void>
  /** Standard error, as it is. */
  readonly note: (text: string) => void
  /** Is standard output a terminal? */
  readonly isTerminal: boolean
  /** Is standard error one? Progress that redraws its line needs it. */
  readonly notesAreShown: boolean
  /** The width of the terminal; 80 where there is none. Read it again for each drawing: it may change. */
  readonly columns: () => number
  /** For standard output. */
  readonly style: Style
}

/** One JSON value on one line: what `--json` prints. */
export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`
