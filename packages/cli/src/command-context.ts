// What a command may know of the process it runs in. Made in main.ts; tests make their own.
import type { Output } from './output/output.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface CommandContext {
  readonly environment: Environment
  readonly homeFolder: string
  /** Names in messages and files that are given without a folder are relative to it. */
  readonly currentFolder: string
  readonly output: Output
  readonly input: CommandInput
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  /** Aborted by the first Ctrl-C or SIGTERM. A second one ends the process at once. */
  readonly stopAsked: AbortSignal
}

interface CommandInput {
  /** Standard input, for commands that read it. */
  readonly stream: NodeJS.ReadableStream
  readonly isTerminal: boolean
}
