import type { Query } from '@octavo/protocol'
import { searching, type PageAsk, type Revision } from '../page-revisions.ts'

/** Revision 2.0 with a given query. */
export const searchingFor = (query: Query): Revision => ({
  ...searching,
  call: (collection, ask) => {
    const asked: PageAsk & { readonly query: Query } = { ...ask, query }
    return searching.call(collection, asked)
  },
})
