import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../postgres/database.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { readWalk } from '../../../../test/support/read-walk.ts'
import { readPage } from './read-page.ts'
import { rowSourcesOf } from '../state/row-sources.ts'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 20
const pageSize = 5

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(ontology, defineType('newest', { id: 'integer', state: 'string' })),
)

beforeAll(async () => {
  await putItems(store, type, itemsOf('first'))
  await putItems(store, type, itemsOf('second'))
})

const itemsOf = (state: string) => Array.from({ length: objects }, (_, id) => ({ id, state }))

/** Walks a snapshot and notes which tables each statement read. */
async function walkNoting(betweenPages: (page: number) => Promise<void>) {
  const statements: string[] = []
  const note = (text: string) => statements.push(text.includes(type.tables.history) ? 'both' : 'current')
  const noting: Database = databaseThat(store.database, {
    eachRow: (query, ...rest) => (note(query.text), store.database.eachRow(query, ...rest)),
    bytes: (query, ...rest) => (note(query.text), store.database.bytes(query, ...rest)),
  })
  const sources = rowSourcesOf(noting)
  let page = 0
  const walk = await readWalk({
    readPage: (plan) => readPage(sources, plan),
    type,
    at: { kind: 'capture' },
    pageSize: () => pageSize,
    betweenPages: () => betweenPages((page += 1)),
  })
  return { objects: walk.objects.map(({ properties }) => properties), statements }
}

it('a walk during which nothing is committed reads current alone, a statement for each page', async () => {
  const walk = await walkNoting(async () => {})
  expect(walk.objects).toEqual(itemsOf('second'))
  expect(walk.statements).toEqual(Array.from({ length: objects / pageSize }, () => 'current'))
})

it('P35: a walk reads its version from history too, as soon as a page has seen that it is no longer the newest', async () => {
  const walk = await walkNoting(async (page) => {
    if (page === 2) await putItems(store, type, itemsOf('third'))
  })
  expect(walk.objects).toEqual(itemsOf('second'))
  // The third page is read again. The last one is not full, so another statement checks whether rows are left.
  expect(walk.statements).toEqual(['current', 'current', 'current', 'both', 'both', 'both'])
})
