export interface Ontology {
  readonly rid: string
  readonly apiName: string
  readonly displayName: string
  readonly description: string
  /** The PostgreSQL schema that holds everything of the ontology. */
  readonly schema: string
  readonly apiFamilies: readonly string[]
}

/** What callers see of it. */
export const shownOntology = ({ apiName, displayName, description, rid }: Ontology) => ({
  apiName,
  displayName,
  description,
  rid,
})
