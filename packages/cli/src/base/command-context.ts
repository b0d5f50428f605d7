// What a command may know of its process. Created in main.ts; tests create their own.
import type { Output } from '../output/output.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface CommandContext {
  /** What the user types to run `octavo`, for commands that are printed to be tried. */
  readonly commandName: string
  readonly environment: Environment
  readonly homeFolder: string
  /** Relative file names, given or shown in messages, are relative to this folder. */
  readonly currentFolder: string
  readonly output: Output
  readonly input: CommandInput
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  /** Aborted by the first Ctrl-C or SIGTERM. A second one ends the process immediately. */
  readonly stopAsked: AbortSignal
}

interface CommandInput {
  /** Standard input, for commands that read it. */
  readonly stream: NodeJS.ReadableStream
  readonly isTerminal: boolean
}
