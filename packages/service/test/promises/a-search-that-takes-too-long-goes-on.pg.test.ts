// A fast clock makes the time for a search run out; `npm run prove -- search` does the same at full size.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { putItems } from '../support/load-items.ts'
import { linesOf } from '../support/read-stream.ts'
import { searchInProcess, streamInProcess } from '../support/search-in-process.ts'
import { withStore } from '../support/with-store.ts'
import { defineType } from '../support/define-type.ts'

const objects = 6_000
const rare = [3, 2_500, 2_501, 4_200]

const { store, ontology } = withStore({
  elapsed: () => (now += step),
  stretchLengths: { usual: [1_000], longer: [] },
})
const type = forAllTests(() =>
  store.applyObjectType(ontology, defineType('haystack', { id: 'integer', marks: 'integer[] searchable' })),
)
let now = 0
let step = 0

beforeAll(async () => {
  await putItems(
    store,
    type,
    Array.from({ length: objects }, (_, id) => ({ id, marks: [rare.includes(id) ? 1_000 : id % 7] })),
  )
})

const query = { type: 'gt', field: 'marks', value: 100 } as const

/** Every answer of the walk: the contents of a page, or that the time was up. */
async function walk(
  snapshot: boolean,
  pageSize: number,
): Promise<readonly (readonly unknown[] | 'timed out')[]> {
  const search = searchInProcess({ store, apiFamily: 'promised', objectType: 'haystack' })
  const answers: (readonly unknown[] | 'timed out')[] = []
  let pageToken: string | undefined
  do {
    const answer = await search({ query, snapshot, pageSize, ...(pageToken !== undefined && { pageToken }) })
    if ('refusal' in answer) {
      expect(answer.refusal.errorName).toBe('ScanTimedOut')
      pageToken = (answer.refusal.parameters as { readonly pageToken?: string }).pageToken
      expect(pageToken).toMatch(/^[A-Za-z0-9_-]+$/)
      answers.push('timed out')
      continue
    }
    const { data, nextPageToken } = answer.page
    if (nextPageToken !== undefined) expect(data.length).toBeGreaterThan(0)
    answers.push(data.map((record) => record.properties['id']))
    pageToken = nextPageToken
  } while (pageToken !== undefined)
  return answers
}

// How far the clock advances each time it is read: when a request arrives, when its ontology is looked up, when reading starts,
// and after every stretch of 1,000 objects. A request has 60 seconds, of which 50 are for reading.
const forOneStretch = 30_000
const longAfterOneStretch = 8_000

it('P101: a request whose time is up before it found anything is refused, and its token continues where it stopped', async () => {
  step = forOneStretch
  const answers = await walk(false, 10)
  expect(answers).toEqual([[3], 'timed out', [2_500, 2_501], 'timed out', [4_200], 'timed out', []])
  expect(await walk(true, 10)).toEqual(answers)
})

it('P113: a page ends with what was found in the time of its request and a token, and only the page after it may be empty', async () => {
  step = forOneStretch
  const answers = await walk(false, 1)
  expect(answers.flat().filter((one) => one !== 'timed out')).toEqual(rare)
  expect(answers.slice(0, -1)).not.toContainEqual([])
})

it('P5: a page that takes long looks on until it knows whether another match follows, so that the last page has one', async () => {
  step = longAfterOneStretch
  const answers = await walk(false, 10)
  expect(answers).toEqual([[3], [2_500, 2_501], [4_200]])
  expect(await walk(true, 10)).toEqual(answers)
})

it('P5: a search that has its time says with its last result that it was the last', async () => {
  step = 0
  expect(await walk(false, 2)).toEqual([
    [3, 2_500],
    [2_501, 4_200],
  ])
})

it('P266: a stream continues by itself where a page would have been refused, with a line that says where', async () => {
  step = forOneStretch
  const pages: unknown[] = []
  const target = { store, apiFamily: 'promised', objectType: 'haystack' }
  for await (const page of streamInProcess(target, { query, pageSize: 10 })) {
    const { records, pageTokens, end } = linesOf(page)
    pages.push(records.map(({ properties }) => properties['id']))
    if (end === undefined) expect(pageTokens).toHaveLength(1)
    else expect(end).toMatchObject({ type: 'end', objectCount: rare.length })
  }
  expect(pages).toEqual([[3], [], [2_500, 2_501], [], [4_200], [], []])
})
