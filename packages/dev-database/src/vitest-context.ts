import type { TemplateFacts } from './template-facts.ts'

/** What the main process of a vitest run tells its test files. */
export type ProvidedDatabase = {
  readonly facts: TemplateFacts
  /** Address of a module that exports `prepare`. */
  readonly prepareModule: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly octavoDatabase: ProvidedDatabase
  }
}
