import { matches } from '../model-server/match-query.ts'
import type { BrokenServer } from './broken-server.ts'

export const emptyPageWithToken: BrokenServer = {
  name: 'empty-page-with-token',
  mistake: 'filters a page after it was cut, so a page may be empty while more exist',
  clause: 'P5',
  also: ['P3'],
  steps: () => ({
    takePage: (rest, size, { query }) => {
      const cut = rest.slice(0, size)
      return {
        objects: cut.filter((object) => matches(query, object)),
        hasMore: rest.length > size,
        last: cut.at(-1),
      }
    },
  }),
}
