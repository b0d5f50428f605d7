import type { Environment } from '../../src/base/command-context.ts'

interface Made {
  /** What is typed after `octavo`. Names such as $URL are those of `MistakePlace`. */
  readonly typed: string
  readonly exitCode?: 3
  /** In the folder of the user, by their names; a folder ends with a slash. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Instead of the right settings: OCTAVO_URL, OCTAVO_TOKEN, OCTAVO_ONTOLOGY. */
  readonly environment?: Environment
  /** Whether it runs in a separate process. */
  readonly isProgram?: true
  /** What is sent to standard input. */
  readonly input?: string
}

/**
 * The words decide whether the answer helps: what is wrong, and what to do. They stand under `says` where what was typed, or a file that
 * it names, is wrong, which ends with 2, and under `refusedWith` where the command ends with 1.
 */
export type Mistake = Made &
  (
    | { readonly says: readonly string[]; readonly refusedWith?: undefined }
    | { readonly refusedWith: readonly string[]; readonly says?: undefined }
  )

/** Each by what somebody who looks over the user's shoulder would say. */
export type Mistakes = Readonly<Record<string, Mistake>>
