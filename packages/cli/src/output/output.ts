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

/** One JSON value on one line: what `--json` prints. */
export const jsonLine = (value: unknown): string => `${escaped(JSON.stringify(value))}\n`

/** The same value, over several lines. */
export const jsonLines = (value: unknown): string => `${escaped(JSON.stringify(value, undefined, 2))}\n`

/**
 * JSON leaves these as they are, but a terminal acts on control characters, and texts in it change their order with the controls of
 * writing direction. They occur in texts only, where an escape is the same value.
 */
const escaped = (json: string): string =>
  json.replaceAll(
    /[\u007F-\u009F\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
