import type { TemplateFacts } from './template-facts.ts'

/** The name under which vitest provides it. */
export const provided = 'octavoDatabase'

declare module 'vitest' {
  /** What the main process of a vitest run passes to its test files. */
  interface ProvidedContext {
    readonly octavoDatabase: TemplateFacts
  }
}
