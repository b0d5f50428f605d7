import type { TemplateFacts } from './template-facts.ts'

/** What the main process of a vitest run passes to its test files. */
export type ProvidedDatabase = {
  readonly facts: TemplateFacts
  /** The URL of a module that exports `prepare`. */
  readonly prepareModule: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly octavoDatabase: ProvidedDatabase
  }
}
