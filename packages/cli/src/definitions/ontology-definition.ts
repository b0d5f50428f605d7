import type { ManagedOntology, OntologyDefinition } from '@octavo/protocol'

/** The definition of an ontology that exists: applying it changes nothing. */
export const ontologyDefinition = ({
  apiName,
  displayName,
  description,
  apiFamilies,
}: ManagedOntology): OntologyDefinition => ({
  apiName,
  displayName,
  ...(description !== '' && { description }),
  ...(apiFamilies.length > 0 && { apiFamilies: [...apiFamilies] }),
})
