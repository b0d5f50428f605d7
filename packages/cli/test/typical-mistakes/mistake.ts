import type { Environment } from '../../src/base/command-context.ts'

export interface Mistake {
  /** As somebody who looks over the user's shoulder would say it. */
  readonly mistake: string
  /** What is typed after `octavo`. Names such as $URL are those of `MistakePlace`. */
  readonly typed: string
  /** The words that decide whether the answer helps: what is wrong, and what to do. */
  readonly says: readonly string[]
  /** 2 if left out: what was typed, or a file that it names, is wrong. */
  readonly exitCode?: 1 | 3
  /** In the folder of the user, by their names; a folder ends with a slash. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Instead of the right settings: OCTAVO_URL, OCTAVO_TOKEN, OCTAVO_ONTOLOGY. */
  readonly environment?: Environment
  /** Whether a process of its own runs it. */
  readonly isProgram?: true
  /** What is sent to standard input. */
  readonly input?: string
}
