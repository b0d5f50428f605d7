/** What a test needs to get its own database. Plain data, so that it can be passed to another process. */
export type TemplateFacts = {
  /** One server, or the nodes of a Citus cluster with the coordinator first: each has the template. */
  readonly serverUrls: readonly string[]
  readonly template: string
  readonly prefix: string
}
