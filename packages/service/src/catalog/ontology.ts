export interface Ontology {
  readonly rid: string
  readonly apiName: string
  readonly displayName: string
  readonly description: string
  /** Where everything of the ontology lives. */
  readonly schema: string
  readonly apiFamilies: readonly string[]
}
