import { beforeAll, expect, it } from 'vitest'
import type { PointInTime } from '../../plan/page-plan.ts'
import type { Database } from '../../../postgres/database.ts'
import { putObject } from '../../../../test/support/put-object.ts'
import { readWalk } from '../../../../test/support/read-walk.ts'
import { readPage } from './read-page.ts'
import { nothingRead, rowSourcesOf } from '../state/row-sources.ts'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { forAllTests } from '@octavo/dev-database/vitest'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const { store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(
    ontology,
    defineType('text', { id: 'string', title: 'string', text: 'string' }, { titleProperty: 'title' }),
  ),
)

const pageSize = 5
const pagesBefore = 4
const pagesAfter = 20

/** Plain objects, then a page whose keys, titles and other texts need every kind of escape, then plain objects again. */
const plain = (i: number) => ({ id: `id ${String(i).padStart(3, '0')}`, title: `Zoë's №${i}`, text: '/' })
const escaped = [
  { id: 'id 019 "', title: 'in the key' },
  { id: 'id 019 title', title: 'say "no",\n{}' },
  { id: 'id 019 \\', title: '\\' },
  { id: 'id 019 tab\t', title: '\u0001\u001f' },
  { id: 'id 019 text', title: 'plain', text: '"elsewhere\\' },
]
const objects = [
  ...Array.from({ length: pagesBefore * pageSize }, (_, i) => plain(i)),
  ...escaped,
  ...Array.from({ length: pagesAfter * pageSize }, (_, i) => plain(100 + i)),
].toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))

beforeAll(() =>
  store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] }),
)

/** Walks as a process that has so far read only pages without escapes, and counts the statements for each page. */
async function walkCounting(at: PointInTime) {
  let statements = 0
  const database: Database = databaseThat(store.database, {
    eachRow: (...asked) => {
      statements += 1
      return store.database.eachRow(...asked)
    },
  })
  const lastRead = new Map([[type.tables.current, { ...nothingRead, largest: 1_000 }]])
  const sources = rowSourcesOf(database, { lastRead, elapsed: () => 0 })
  const counts: number[] = []
  const walk = await readWalk({
    readPage: async (plan) => {
      statements = 0
      const page = await readPage(sources, plan)
      counts.push(statements)
      return page
    },
    type,
    at,
    pageSize: () => pageSize,
  })
  return { objects: walk.objects, counts }
}

it.each<PointInTime>([{ kind: 'latest' }, { kind: 'capture' }])(
  'a page whose objects have escapes is read again with them, once ($kind)',
  async (at) => {
    const walk = await walkCounting(at)
    expect(walk.objects.map(({ properties }) => properties)).toEqual(objects)
    expect(walk.objects.map(({ primaryKey, title }) => ({ primaryKey, title }))).toEqual(
      objects.map(({ id, title }) => ({ primaryKey: id, title })),
    )
    expect(walk.counts).toEqual([
      ...Array.from({ length: pagesBefore }, () => 1),
      2,
      ...Array.from({ length: pagesAfter }, () => 1),
    ])
  },
)
