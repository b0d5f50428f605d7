/** What a test needs to get its own database. Plain data, so that it can be passed to another process. */
export type TemplateFacts =
  | {
      readonly kind: 'template'
      readonly serverUrl: string
      readonly template: string
      readonly prefix: string
    }
  /** A server whose databases cannot be cloned: all tests use the given database, one after another. */
  | { readonly kind: 'shared'; readonly serverUrl: string }
