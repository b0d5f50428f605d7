export type RevisionName = '1.0' | '2.0'

/** The collection that holds the objects. */
export interface Place {
  readonly revision: RevisionName
  /** The rid of the ontology in revision 1.0, the API family in 2.0. */
  readonly ontology: string
  readonly objectType: string
}
