import { matches } from '../model-server/match-query.ts'
import type { BrokenServer } from './broken-server.ts'

export const pageNumbers: BrokenServer = {
  name: 'page-numbers',
  mistake: 'goes on at page number times page size, so a page size that changes skips or repeats',
  clause: 'P22',
  also: [
    'P3',
    'P6',
    'P32',
    'P33',
    'P34',
    'P35',
    'P36',
    'P39',
    'P40',
    'P41',
    'P5',
    'P70',
    'P71',
    'P255',
    'P256',
    'P258',
    'P263',
  ],
  steps: () => {
    const pagesOfWalk = new Map<number, number>()
    return {
      restAfter: (sorted, { query, pageSize, sizes }, { startedAt, returned }) => {
        const pages = pagesOfWalk.get(startedAt + returned) ?? 1
        const size = typeof pageSize === 'number' ? Math.min(pageSize, sizes.maximum) : sizes.default
        const from = pages * size
        pagesOfWalk.set(startedAt + returned + size, pages + 1)
        return sorted.filter((object) => matches(query, object)).slice(from)
      },
    }
  },
}
