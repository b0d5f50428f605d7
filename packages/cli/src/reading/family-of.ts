import type { ManagedOntology } from '@octavo/protocol'

/** The API family through which an ontology is read: it always has one (P412). */
export const familyOf = ({ apiFamilies: [family = ''] }: Pick<ManagedOntology, 'apiFamilies'>): string =>
  family
