import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { limits } from '@octavo/protocol'
import { readPage, sizesOf } from '../subject/read-page.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { askForPage } from '../subject/subject.ts'

export const pageSizeCases: readonly Case[] = [
  {
    clause: 'P19',
    title: 'a page is never larger than asked for',
    run: async (subject) => {
      for (const pageSize of [1, 2, 3, 20, undefined]) {
        await readPage(subject, 'P19', pageSize === undefined ? {} : { pageSize })
      }
    },
  },
  {
    clause: 'P20',
    title: 'a page size above the maximum is reduced, not refused',
    run: async (subject) => {
      const { maximum } = sizesOf(subject.collection.revision)
      for (const pageSize of [maximum + 1, 100_000, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const { page, exchange } = await readPage(subject, 'P20', { pageSize })
        demand(page.data.length > 0, { clause: 'P20', expected: 'a page with objects', exchange })
      }
    },
  },
  {
    clause: 'P21',
    title: 'a page size that is zero, negative or not an integer is refused',
    run: async (subject) => {
      for (const pageSize of [0, -1, 1.5, 'ten']) {
        demandRefusal(await askForPage(subject, { pageSize }), {
          clause: 'P21',
          name: 'InvalidPageSize',
          because: `${pageSize} is not a page size`,
        })
      }
    },
  },
  {
    clause: 'P22',
    title: 'the page size may change from page to page',
    run: async (subject) => {
      for (const snapshot of [false, true]) {
        const { records, last } = await readWalk(subject, {
          clause: 'P22',
          ask: { snapshot },
          pageSizes: [1, 4, 2, 7, 3, 8],
          untilObjects: 25,
        })
        const found = difference(
          keysOf(subject, records.slice(0, 25)),
          keysOf(subject, subject.sample.slice(0, 25)),
        )
        demand(found === undefined, {
          clause: 'P22',
          expected: 'the objects that pages of one size give',
          found,
          exchange: last,
        })
      }
    },
  },
  {
    clause: 'P23',
    title: 'the default and the maximum page size are those of the endpoint',
    run: async (subject) => {
      const sizes = sizesOf(subject.collection.revision)
      const expectations = [
        { ask: {}, size: sizes.default },
        { ask: { pageSize: sizes.maximum }, size: sizes.maximum },
        { ask: { pageSize: sizes.maximum + 1 }, size: sizes.maximum },
      ]
      let tried = 0
      for (const { ask, size } of expectations) {
        const { page, exchange } = await readPage(subject, 'P23', ask)
        if (page.nextPageToken === undefined && page.data.length < size) continue
        tried += 1
        const isFull = page.data.length === size || Buffer.byteLength(exchange.text) >= limits.page.byteBudget
        demand(isFull, {
          clause: 'P23',
          expected: `${size} objects`,
          found: `${page.data.length} objects, and more exist`,
          exchange,
        })
      }
      if (tried === 0) skip(`needs more than ${sizes.default} objects`)
    },
  },
]
