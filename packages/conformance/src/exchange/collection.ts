export type RevisionName = '1.0' | '2.0' | 'v2'

/** The collection that holds the objects. */
export interface Collection {
  readonly revision: RevisionName
  /** The rid of the ontology in revision 1.0, the API family in 2.0, either the rid or the API name in v2. */
  readonly ontology: string
  readonly objectType: string
  /** A link of the type: then the collection is what it leads to. Revision 1.0 follows it from one object. */
  readonly through?: { readonly link: string; readonly from?: string | undefined }
}
