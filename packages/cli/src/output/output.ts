import type { Style } from './style.ts'

/** Where a command writes. Results go to standard output, messages and progress to standard error. */
export interface Output {
  /** Writes to standard output; resolves when there is room for more. The text includes its line ends. */
  readonly write: (text: string | Uint8Array) => Promise<void>
  /** Writes to standard error, unchanged. */
  readonly note: (text: string) => void
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** Whether standard error is a terminal. Progress that redraws its line needs one. */
  readonly notesAreShown: boolean
  /** False if only the outcome is wanted: with --json, unless somebody is watching. */
  readonly showsProgress?: false
  /** The width of the terminal; 80 if there is none. Read it before each drawing, because it may change. */
  readonly columns: () => number
  /** The style for standard output. */
  readonly style: Style
}
