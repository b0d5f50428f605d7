import type { Page } from '@octavo/client'
import { array, assert, asyncProperty, integer } from 'fast-check'
import { expect, it } from 'vitest'
import { readingOf, type PagedWalk, type Row, type RowSource } from './reading.ts'

const rowOf = (number: number): Row => ({ primaryKey: String(number), objectType: 'thing', properties: {} })

/** Pages of unequal length, as a service may send them. */
function pagesOf(rows: number, lengths: readonly number[]): RowSource & { reads: number } {
  const starts: number[] = [0]
  for (let i = 0; (starts.at(-1) ?? 0) < rows; i += 1)
    starts.push((starts.at(-1) ?? 0) + (lengths[i % lengths.length] ?? 1))
  const from = (first: number): PagedWalk => {
    let page = first
    return {
      next: async (): Promise<Page<Row> | undefined> => {
        const start = starts[page] ?? rows
        if (start >= rows) return undefined
        page += 1
        source.reads += 1
        const end = Math.min(rows, starts[page] ?? rows)
        const data = Array.from({ length: end - start }, (_, i) => rowOf(start + i))
        return { data, version: '7', ...(end < rows && { nextPageToken: String(page) }) }
      },
      save: () => String(page),
    }
  }
  const source = { reads: 0, start: () => from(0), resume: (saved: string) => from(Number(saved)) }
  return source
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 20_000; i += 1) await Promise.resolve()
}

it('any rows, asked for in any order, are the right ones', async () => {
  await assert(
    asyncProperty(
      integer({ min: 1, max: 3_000 }),
      array(integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      array(integer({ min: 0, max: 2_999 }), { minLength: 1, maxLength: 8 }),
      async (rows, lengths, places) => {
        const reading = readingOf(pagesOf(rows, lengths))
        for (const place of places.map((each) => Math.min(each, rows - 1))) {
          reading.need(place, Math.min(rows - 1, place + 30))
          await settled()
          for (let i = place; i < Math.min(rows, place + 30); i += 1) {
            expect(reading.row(i)?.primaryKey).toBe(String(i))
          }
        }
      },
    ),
    { numRuns: 40 },
  )
})

it('reads one page ahead, and no more than that', async () => {
  const source = pagesOf(10_000, [100])
  const reading = readingOf(source)
  reading.need(0, 40)
  await settled()
  expect(source.reads).toBe(1)
  reading.need(20, 60)
  await settled()
  expect(source.reads).toBe(2)
  expect(reading.state.value).toMatchObject({ isExact: false, version: '7' })
})

it('knows the end once it was there, and what was counted before', async () => {
  const reading = readingOf(pagesOf(250, [100]))
  reading.counted(200, false)
  expect(reading.state.value).toMatchObject({ rows: 200, isExact: false })
  reading.need(190, 249)
  await settled()
  expect(reading.state.value).toMatchObject({ rows: 250, isExact: true })
})

it('what fails leaves the rows that are there, and can be tried again', async () => {
  const source = pagesOf(300, [100])
  let fails = false
  const reading = readingOf({
    resume: source.resume,
    start: () => {
      const walk = source.start()
      return { ...walk, next: () => (fails ? Promise.reject(new Error('gone')) : walk.next()) }
    },
  })
  reading.need(0, 10)
  await settled()
  fails = true
  reading.need(90, 150)
  await settled()
  expect(reading.state.value.error).toEqual(new Error('gone'))
  expect(reading.row(10)?.primaryKey).toBe('10')
  fails = false
  reading.retry()
  await settled()
  expect(reading.row(150)?.primaryKey).toBe('150')
})
