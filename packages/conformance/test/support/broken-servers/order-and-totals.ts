import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'
import { limits } from '@octavo/protocol'
import { refuse } from '../model-server/model-refusal.ts'
import { compareBy, matches, type ModelObject } from '../model-server/model-data.ts'

const dictionary = new Intl.Collator('en')

const limit = limits.walk.listObjects - 1

export const brokenOrderAndTotals: readonly BrokenServer[] = [
  {
    name: 'count-of-the-latest-state',
    mistake: 'counts what is there now, though the request names another state',
    clause: 'P245',
    revision: '2.0',
    steps: () => ({
      totalOf: (state, ask, walk, store) => {
        const counted = ask.endpoint === 'countObjects' ? stateAt(store, latestVersion(store)) : state
        return correctSteps.totalOf(counted, ask, walk, store)
      },
    }),
  },
  {
    name: 'dictionary-order',
    mistake: 'sorts strings as the locale of its database does',
    clause: 'P45',
    also: ['P39', 'P40', 'P42'],
    steps: () => ({
      compare: (ask, a, b) => {
        const [first] = ask.orderBy
        const [one, two] = [a['label'], b['label']]
        if (first?.property === 'label' && typeof one === 'string' && typeof two === 'string') {
          const compared = dictionary.compare(one, two)
          if (compared !== 0) return first.direction === 'asc' ? compared : -compared
        }
        return correctSteps.compare(ask, a, b)
      },
    }),
  },
  {
    name: 'limit-looks-like-the-end',
    mistake: 'leaves the token out at the limit, so a client believes that it has everything',
    clause: 'P71',
    revision: '1.0',
    objects: 10_050,
    steps: () => ({
      tokenField: ({ hasMore, returned }, seal) =>
        hasMore && returned < limits.walk.listObjects ? seal() : undefined,
    }),
  },
  {
    name: 'limit-off-by-one',
    mistake: 'ends a list one object before the limit',
    clause: 'P71',
    also: ['P70'],
    revision: '1.0',
    objects: 10_050,
    steps: () => ({
      roomFor: (_, returned) =>
        returned < limit
          ? limit - returned
          : refuse('ObjectsExceededLimit', { limit: 'objects', maximum: limit }),
    }),
  },
  {
    name: 'nulls-first',
    mistake: 'lets the database decide where nulls go: first in descending order',
    clause: 'P40',
    also: ['P42'],
    steps: () => ({
      compare: (ask, a, b) => {
        const [first] = ask.orderBy
        if (first?.direction === 'desc') {
          const has = Number(a[first.property] !== undefined) - Number(b[first.property] !== undefined)
          if (has !== 0) return has
        }
        return correctSteps.compare(ask, a, b)
      },
    }),
  },
  {
    name: 'nulls-lost',
    mistake:
      'compares order values with > alone, which is never true of null: objects without a value are lost',
    clause: 'P40',
    also: ['P39', 'P42'],
    steps: () => ({
      restAfter: (sorted, ask, walk, compare) =>
        correctSteps
          .restAfter(sorted, ask, walk, compare)
          .filter((object) => ask.orderBy.every(({ property }) => object[property] !== undefined)),
    }),
  },
  {
    name: 'offset-paging',
    mistake:
      'continues after as many objects as were returned, so a deletion makes it skip and an insertion repeat',
    clause: 'P33',
    also: ['P34', 'P32', 'P255', 'P256', 'P258'],
    steps: () => ({
      restAfter: (sorted, { query }, { returned }) =>
        // The filter comes first, as in an SQL statement with OFFSET.
        sorted.filter((object) => matches(query, object)).slice(returned),
    }),
  },
  {
    name: 'order-not-total',
    mistake: 'leaves the order of equal values to chance, which decides otherwise on the next page',
    clause: 'P39',
    also: ['P34', 'P40', 'P42'],
    steps: () => ({
      restAfter: (sorted, ask, walk, compare) => {
        const [first] = ask.orderBy
        if (first === undefined) return correctSteps.restAfter(sorted, ask, walk, compare)
        const { property, direction } = first
        const byChance = (a: ModelObject, b: ModelObject) =>
          compareBy(property, direction, a, b) || compareBy('id', direction === 'asc' ? 'desc' : 'asc', a, b)
        return sorted.filter((object) => byChance(object, walk.last) > 0).toSorted(byChance)
      },
    }),
  },
  {
    name: 'page-numbers',
    mistake: 'continues at page number times page size, so a page size that changes skips or repeats',
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
  },
  {
    name: 'page-past-the-limit',
    mistake: 'looks at the limit only before a page, which then goes past it',
    clause: 'P70',
    revision: '1.0',
    objects: 10_950,
    steps: () => ({
      roomFor: (ask, returned) => {
        correctSteps.roomFor(ask, returned)
        return limits.page.listMaximum
      },
    }),
  },
  {
    name: 'search-with-a-limit',
    mistake: 'ends a search after 10,000 objects, as the engine behind it does',
    clause: 'P82',
    revision: '2.0',
    objects: 10_050,
    steps: () => ({
      tokenField: ({ hasMore, returned }, seal) =>
        hasMore && returned < limits.walk.listObjects ? seal() : undefined,
    }),
  },
  {
    name: 'ties-skipped',
    mistake:
      'continues after the last order value without a tie-breaker, so objects with the same value are lost',
    clause: 'P39',
    also: ['P34', 'P40', 'P42'],
    steps: () => ({
      restAfter: (sorted, { orderBy: [first] }, { last }) => {
        const { property, direction } = first ?? { property: 'id', direction: 'asc' as const }
        return sorted.filter((object) => compareBy(property, direction, object, last) > 0)
      },
    }),
  },
  {
    name: 'total-of-the-latest-state',
    mistake: 'counts what is there now, while the pages show a snapshot',
    clause: 'P68',
    also: ['P245'],
    revision: '1.0',
    steps: () => ({
      totalOf: (_state, ask, walk, store) =>
        correctSteps.totalOf(stateAt(store, latestVersion(store)), ask, walk, store),
    }),
  },
]
