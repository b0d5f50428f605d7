// What a page costs that follows a link, from many objects to few and back, compared with a plain page of the same objects.
import type { Query } from '@octavo/protocol'
import {
  columnOf,
  readVersions,
  type Database,
  followLinks,
  linksInQuery,
  nothingRead,
  type ObjectType,
  planPage,
  readPage,
  rowSourcesOf,
  type SqlQuery,
} from '../../packages/service/test/inside.ts'
import { databaseThat } from '../../packages/service/test/support/database-that.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { explainPrepared } from '../harness/measure-page.ts'
import { withStore, type ProofStore } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'

const pageSize = 100
const settings = { shared_buffers: '1GB', max_wal_size: '8GB' }
/** A look at an index of the other type, from its root to a leaf, and at the row. */
const blocksForEach = 5

export const proveSearchAround = (proof: Proof): Promise<void> =>
  // So few keys that none are looked up first.
  withStore({ settings, sources: { mostLinkedKeys: 10 } }, async (served) => {
    const flights = proof.short ? 20_000 : 1_000_000
    const aircraft = flights / 100
    const types = await fill(served, { flights, aircraft })
    const ways = [
      { from: 'flight', to: 'aircraft', link: 'flights', last: key('A', aircraft - 2 * pageSize) },
      { from: 'aircraft', to: 'flight', link: 'aircraft', last: key('F', flights - 2 * pageSize) },
    ] as const
    for (const { from, to, link, last } of ways) {
      await proof.point(
        `Search around from all of ${flights.toLocaleString('en')} flights and their aircraft, to ${to}: flat in depth, at most ${blocksForEach} blocks for each object more than a plain page`,
        () => showPages(served, { type: types[to], other: types[from], link, last }),
      )
    }
  })

/** Keys of one length, so that their order is that of the numbers. */
const key = (letter: string, number: number): string => `${letter}${String(number).padStart(9, '0')}`

type LinkedTypes = Readonly<Record<'flight' | 'aircraft', ObjectType>>

/** Written directly into the tables: the measurement does not depend on how the rows got there. */
async function fill(
  { store, ontology }: ProofStore,
  { flights, aircraft }: { readonly flights: number; readonly aircraft: number },
): Promise<LinkedTypes> {
  const common = { primaryKey: 'id', titleProperty: 'id' }
  const types = {
    aircraft: await store.applyObjectType(ontology, {
      ...common,
      apiName: 'aircraft',
      displayName: 'Aircraft',
      properties: { id: { type: 'string' }, text: { type: 'string' } },
    }),
    flight: await store.applyObjectType(ontology, {
      ...common,
      apiName: 'flight',
      displayName: 'Flight',
      properties: {
        id: { type: 'string' },
        aircraftId: { type: 'string', searchable: true },
        text: { type: 'string' },
      },
      links: { aircraft: { objectType: 'aircraft', foreignKeyProperty: 'aircraftId', reverse: 'flights' } },
    }),
  }
  for (const [name, objects] of [
    ['aircraft', aircraft],
    ['flight', flights],
  ] as const) {
    const type = types[name]
    const letter = name === 'flight' ? 'F' : 'A'
    await store.commit({ parts: [{ type, changes: [putObject(type, { id: `${letter}000000000` })] }] })
    const held = columnOf(type, 'aircraftId')?.name
    const id = `'${letter}' || lpad(n::text, 9, '0')`
    // A flight's aircraft is anywhere among the aircraft.
    const other = `'A' || lpad((n::bigint * 7919 % ${aircraft})::text, 9, '0')`
    await store.database
      .run(`insert into ${type.tables.current} (pk, version_from, scalars${held ? `, ${held}` : ''})
select ${id}, 1, '"id":"' || ${id} || '","text":"' || repeat(md5(n::text), 9) || '"'${held ? `, ${other}` : ''}
from generate_series(1, ${objects - 1}) as n`)
    await store.database.run(
      `update ${type.tables.clock} set live = ${objects}, largest = 400 where object_type = ${type.id}`,
    )
    await store.database.run(
      `update ${type.tables.commits} set live = ${objects} where object_type = ${type.id} and version = 1`,
    )
    await store.database.run(`vacuum (analyze) ${type.tables.current}`)
  }
  return types
}

interface AroundPages {
  readonly type: ObjectType
  readonly other: ObjectType
  readonly link: string
  /** A key near the end. */
  readonly last: string
}

async function showPages(served: ProofStore, { type, other, link, last }: AroundPages): Promise<string> {
  const linked: Query = { type: 'linked', link, query: { type: 'empty' } }
  const types = [type, other] as const
  const first = await costOf(served, { types, query: linked, position: undefined })
  const deep = await costOf(served, { types, query: linked, position: [last] })
  const plain = await costOf(served, { types, query: { type: 'empty' }, position: [last] })
  const said = `${first.blocks} blocks at the beginning, ${deep.blocks} near the end (${deep.milliseconds.toFixed(1)} ms), a plain page ${plain.blocks} (${plain.milliseconds.toFixed(1)} ms)`
  expect(deep.blocks <= first.blocks * 1.1, said)
  expect(deep.blocks - plain.blocks <= blocksForEach * pageSize, said)
  return said
}

interface MeasuredPage {
  readonly types: readonly [ObjectType, ObjectType]
  readonly query: Query
  readonly position: readonly string[] | undefined
}

interface PageCost {
  readonly blocks: number
  readonly milliseconds: number
}

/** All statements that follow the links and read the page. */
async function costOf({ store }: ProofStore, { types, query, position }: MeasuredPage): Promise<PageCost> {
  const cost = { blocks: 0, milliseconds: 0 }
  const explain = async (statement: SqlQuery) => {
    const { buffers, milliseconds } = await explainPrepared(store.database, statement)
    cost.blocks += buffers
    cost.milliseconds += milliseconds
  }
  const database: Database = databaseThat(store.database, {
    eachRow: async (statement, takeRow, signal) => {
      await explain(statement)
      return store.database.eachRow(statement, takeRow, signal)
    },
    bytes: async (statement, signal) => {
      await explain(statement)
      return store.database.bytes(statement, signal)
    },
  })
  const [type] = types
  // Claims that only small objects were seen, so that no page can exceed the byte budget.
  const lastRead = new Map(types.map(({ tables }) => [tables.current, { ...nothingRead, largest: 1_000 }]))
  const sources = rowSourcesOf(database, { lastRead, elapsed: () => 0, mostLinkedKeys: store.mostLinkedKeys })
  const { versions } = await readVersions(store, types)
  const links = await followLinks({ store: sources, claims: {} }, linksInQuery(type, types, query), versions)
  const plan = await planPage({
    type,
    request: {
      endpoint: 'searchObjects',
      pageSize,
      pageToken: undefined,
      snapshot: true,
      orderBy: [],
      select: undefined,
      query,
      filters: [],
    },
    claims: {},
    walk: undefined,
    named: { kind: 'snapshot', version: '1', tag: '', ...versions.get(type.id) },
    estimate: (...asked) => store.estimateMatches(type, ...asked),
    followed: { links, types: [] },
  })
  const page = await readPage(sources, { ...plan, position })
  expect(page.objects === pageSize, `${page.objects} objects instead of ${pageSize}`)
  return cost
}
