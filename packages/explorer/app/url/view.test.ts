import { expect, it } from 'vitest'
import { searchOf, viewOf, type View } from './view.ts'

it('an address says everything that is shown, and is read as the same again', () => {
  const view: View = {
    family: 'aviation',
    type: 'flight',
    shows: 'walk',
    query: { type: 'eq', field: 'origin', value: 'A&B=C' },
    order: [
      { field: 'origin', direction: 'asc' },
      { field: 'departsAt', direction: 'desc' },
    ],
    columns: ['flightId', 'origin'],
    facets: ['origin', 'gate:hall'],
    object: '10/0?0',
    at: 'AgVs-b_2',
  }
  expect(viewOf(searchOf(view))).toEqual({ view, problems: [] })
})

it('an address without anything is the view that nobody chose', () => {
  expect(viewOf('')).toEqual({ view: { shows: 'rows', order: [] }, problems: [] })
  expect(searchOf({ shows: 'rows', order: [] })).toBe('')
})

it.each(['{', '3', 'null', '{}', '[]'])(
  'a filter that cannot be read is left out, with a sentence: %s',
  (query) => {
    const { view, problems } = viewOf(new URLSearchParams({ type: 'flight', query }).toString())
    expect(view).toEqual({ type: 'flight', shows: 'rows', order: [] })
    expect(problems).toHaveLength(1)
  },
)
