import type { TemplateFacts } from './template-facts.ts'

declare module 'vitest' {
  /** What the main process of a vitest run passes to its test files. */
  interface ProvidedContext {
    readonly octavoDatabase: TemplateFacts
  }
}
