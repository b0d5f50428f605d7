import { matches } from '../model-server/match-query.ts'
import type { BrokenServer } from './broken-server.ts'

export const offsetPaging: BrokenServer = {
  name: 'offset-paging',
  mistake:
    'goes on after as many objects as were returned, so a deletion makes it skip and an insertion repeat',
  clause: 'P33',
  also: ['P34', 'P32', 'P255', 'P256', 'P258'],
  steps: () => ({
    restAfter: (sorted, { query }, { returned }) =>
      // The filter comes first, as in an SQL statement with OFFSET.
      sorted.filter((object) => matches(query, object)).slice(returned),
  }),
}
