// The only limit on a walk: 10,000 objects over all pages of a list.
import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import { askForPage, keyOf, type Subject } from '../subject/subject.ts'

const most = limits.walk.listObjects

async function needsMoreThanLimit(subject: Subject): Promise<void> {
  const { page } = await readPage(subject, 'P68', { pageSize: 1 })
  if (!(Number(page.totalCount) > most)) skip('needs more than 10,000 objects')
}

export const revision1LimitCases: readonly Case[] = [
  {
    clause: 'P70',
    title: 'no page of a list goes past the 10,000th object',
    revision: '1.0',
    run: async (subject) => {
      await needsMoreThanLimit(subject)
      // The last page would hold 600 objects more without the limit.
      const { records, last } = await readWalk(subject, {
        clause: 'P71',
        pageSizes: [...Array.from({ length: 10 }, () => 960), 1_000],
        untilObjects: most,
      })
      demand(records.length === most, {
        clause: 'P70',
        expected: `a page that ends with the ${most}th object`,
        found: `${records.length} objects`,
        exchange: { ...last, text: last.text.slice(-500) },
      })
    },
  },
  {
    clause: 'P71',
    title: 'the page with the 10,000th object has a token if more exist, and using it is refused',
    revision: '1.0',
    run: async (subject) => {
      await needsMoreThanLimit(subject)
      for (const snapshot of [false, true]) {
        const ask: PageAsk = { snapshot }
        const { records, pages, last } = await readWalk(subject, {
          clause: 'P71',
          ask,
          pageSizes: [1_000],
          untilObjects: most,
        })
        const end = { ...last, text: last.text.slice(-500) }
        const pageToken = pages.at(-1)?.nextPageToken
        demand(records.length === most && pageToken !== undefined, {
          clause: 'P71',
          expected: `${most} objects and a nextPageToken, since more exist`,
          found: `${records.length} objects and ${pageToken === undefined ? 'no' : 'a'} token`,
          exchange: end,
        })
        demandRefusal(await askForPage(subject, { ...ask, pageSize: 1_000, pageToken }), {
          clause: 'P71',
          name: 'ObjectsExceededLimit',
          because: `one walk returns at most ${most} objects`,
        })
      }
    },
  },
  {
    clause: 'P71',
    title: 'a listing of exactly 10,000 objects ends without a token',
    revision: '1.0',
    run: async (subject) => {
      await needsMoreThanLimit(subject)
      const property = subject.type.key.name
      const whole = await readWalk(subject, { clause: 'P71', pageSizes: [1_000], untilObjects: most })
      const last = whole.records[most - 1]
      if (last === undefined) return
      const {
        records,
        isFinished,
        last: end,
      } = await readWalk(subject, {
        clause: 'P71',
        ask: { filter: { kind: 'lte', property, value: keyOf(subject, last) } },
        pageSizes: [1_000],
        untilObjects: most,
      })
      demand(records.length === most && isFinished, {
        clause: 'P71',
        expected: `${most} objects and no nextPageToken, since no more exist`,
        found: `${records.length} objects and ${isFinished ? 'no' : 'a'} token`,
        exchange: { ...end, text: end.text.slice(-500) },
      })
    },
  },
]
