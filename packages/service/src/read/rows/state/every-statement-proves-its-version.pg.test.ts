// A page may take several statements, and each may be answered by another server: one of several replicas behind one address, or
// a server that took over. So each statement must prove that it has read the version, not only the last one.
import { forAllTests } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Observation } from '../../../observe/observation.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { planPage } from '../../plan/plan-page.ts'
import type { Database } from '../../../postgres/database.ts'
import type { BytesRow } from '@octavo/pg-bytes'
import { capturedBy, type Captured } from '../../token/walk.ts'
import { SnapshotNotReadable } from './page-clock.ts'
import type { SqlQuery } from '../../../base/sql-query.ts'
import { putItems } from '../../../../test/support/load-items.ts'
import { recordsOf } from '../../../../test/support/read-walk.ts'
import { countMatches } from '../numbers/count-matches.ts'
import type { PageRows } from '../page/page-rows.ts'
import { readPageAnywhere } from '../page/read-page-anywhere.ts'
import { readPage } from '../page/read-page.ts'
import { replicaChoice } from './replica-choice.ts'
import { rowSourcesOf } from './row-sources.ts'
import { databaseThat } from '../../../../test/support/database-that.ts'
import { withStore } from '../../../../test/support/with-store.ts'
import { defineType } from '../../../../test/support/define-type.ts'

const objects = 30
/** A page takes four statements: three full stretches, and one that shows that nothing follows. */
const stretchLengths = { usual: [10], longer: [1_000] }
const statements = [0, 1, 2, 3]

const { database, store, ontology } = withStore()
const type = forAllTests(() =>
  store.applyObjectType(ontology, defineType('proved', { id: 'integer', marks: 'integer[] searchable' })),
)
let behind: ServerLeftBehind
/** The version in which every object has become rare. The lagging server has the version before it. */
let at: Captured

const ids = Array.from({ length: objects }, (_, id) => id)
const marked = (mark: number) =>
  putItems(
    store,
    type,
    ids.map((id) => ({ id, marks: [mark] })),
  )
const [common, rare] = [1, 10]

beforeAll(async () => {
  await marked(common)
  behind = await serverLeftBehind(database.url)
  await marked(rare)
  at = capturedBy((await store.readPage(await plan({ at: { kind: 'capture' } }))).clock)
})

afterAll(() => behind.close())

/** Only a check of every object finds the rare ones. */
async function plan(some: Partial<PagePlan> = {}): Promise<PagePlan> {
  const request = {
    endpoint: 'searchObjects',
    pageSize: 100,
    pageToken: undefined,
    snapshot: true,
    orderBy: [],
    select: undefined,
    query: { type: 'gt', field: 'marks', value: 5 },
    filters: [],
  } as const
  const planned = await planPage({
    type,
    request,
    claims: {},
    walk: undefined,
    estimate: async (filters) => filters.map(() => ({ objects: 1, states: 1 })),
  })
  return { ...planned, ...some }
}

const idsOf = (page: PageRows) =>
  recordsOf(page).map((text) => (JSON.parse(text) as { properties: { id: number } }).properties.id)
const sourcesOf = (of: Database) => rowSourcesOf(of, { stretchLengths, elapsed: () => 0 })
const ledThere = (isLedThere: (statement: number) => boolean) => behind.leading(store.database, isLedThere)

async function readFrom(replica: Database, wanted: PagePlan) {
  const observed: Observation[] = []
  const page = await readPageAnywhere(
    {
      ...sourcesOf(store.database),
      replicas: replicaChoice([{ name: 'balanced', database: replica }], () => 0),
      observe: (observation) => observed.push(observation),
    },
    wanted,
  )
  return { page, outcomes: observed.map((one) => (one.kind === 'replica-asked' ? one.outcome : one.kind)) }
}

describe.each(statements)('statement %s of a page at a version comes to a server that is behind', (which) => {
  it('P172: of replicas behind one address, the whole page is read from the primary', async () => {
    const { page, outcomes } = await readFrom(
      ledThere((statement) => statement === which),
      await plan({ at }),
    )
    expect(outcomes).toEqual(['behind'])
    expect(idsOf(page)).toEqual(ids)
    expect(page.position).toBeUndefined()
  })

  it('P36: where the primary should be, the page is refused', async () => {
    const leading = ledThere((statement) => statement === which)
    await expect(readPage(sourcesOf(leading), await plan({ at }))).rejects.toThrow(SnapshotNotReadable)
  })

  it('P36: a total is refused', async () => {
    const leading = ledThere((statement) => statement === which)
    await expect(countMatches(sourcesOf(leading), await plan({ at }))).rejects.toThrow(SnapshotNotReadable)
  })
})

it('P36: a first page is refused if a later stretch comes from a server without the version it captured', async () => {
  const capture = await plan({ at: { kind: 'capture' } })
  await expect(readPage(sourcesOf(ledThere((statement) => statement > 0)), capture)).rejects.toThrow(
    SnapshotNotReadable,
  )
  const page = await readPage(sourcesOf(ledThere((statement) => statement === 1)), capture)
  expect(idsOf(page)).toEqual(ids)
})

it('P36: a page of one statement is refused by a server without the version', async () => {
  const unfiltered = await plan({ at, access: undefined, order: chooseOrder(type, []), pageSize: 5 })
  expect(idsOf(await readPage(sourcesOf(store.database), unfiltered))).toEqual([0, 1, 2, 3, 4])
  await expect(readPage(sourcesOf(ledThere(() => true)), unfiltered)).rejects.toThrow(SnapshotNotReadable)
})

it('P36: the version of another history is refused, whichever statement finds it', async () => {
  for (const which of statements) {
    let statement = 0
    const restored: Database = databaseThat(store.database, {
      bytes: async (query, signal) => {
        const row = await store.database.bytes(query, signal)
        const [clock, ...others] = row ?? []
        if (statement++ !== which || clock == null) return row
        return [Buffer.from(clock.toString().replace(at.tag, 'f'.repeat(16))), ...others]
      },
    })
    await expect(readPage(sourcesOf(restored), await plan({ at }))).rejects.toThrow(SnapshotNotReadable)
  }
})

it('P37: a page of several statements shows no part of a commit that came between them', async () => {
  for (const kind of ['latest', 'capture'] as const) {
    await marked(rare)
    let statement = 0
    const committing: Database = databaseThat(store.database, {
      bytes: async (query, signal) => {
        if (statement++ === 1) await marked(common)
        return store.database.bytes(query, signal)
      },
    })
    const page = await readPage(sourcesOf(committing), await plan({ at: { kind } }))
    expect(idsOf(page), kind).toEqual(ids)
    expect(idsOf(await readPage(sourcesOf(store.database), await plan({ at: { kind } })))).toEqual([])
  }
})

it('P32: in default mode a page whose state is gone midway begins again with the latest', async () => {
  await marked(rare)
  const page = await readPage(
    sourcesOf(ledThere((statement) => statement === 1 || statement === 2)),
    await plan({ at: { kind: 'latest' } }),
  )
  expect(idsOf(page)).toEqual(ids)
})

interface ServerLeftBehind {
  /** The database, except that the statements for which `isLedThere` is true go to the lagging server. */
  readonly leading: (database: Database, isLedThere: (statement: number) => boolean) => Database
  readonly close: () => Promise<void>
}

/**
 * Behaves like a standby whose replay has stopped: nothing that is committed from now on arrives there. It is a transaction that
 * keeps seeing the state it began with.
 */
async function serverLeftBehind(databaseUrl: string): Promise<ServerLeftBehind> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select 1')

  const bytesRows = async ({ text, values }: SqlQuery): Promise<readonly BytesRow[]> => {
    const types = { getTypeParser: () => (value: string) => value }
    const { rows } = await client.query<(string | null)[]>({
      text,
      values: [...values],
      rowMode: 'array',
      types,
    })
    return rows.map((row) => row.map((value) => (value === null ? null : Buffer.from(value))))
  }

  return {
    leading: (database, isLedThere) => {
      let statement = 0
      return databaseThat(database, {
        bytes: async (query, signal) =>
          isLedThere(statement++) ? (await bytesRows(query))[0] : database.bytes(query, signal),
        eachRow: async (query, takeRow, signal) => {
          if (!isLedThere(statement++)) return database.eachRow(query, takeRow, signal)
          for (const row of await bytesRows(query)) {
            const message = rowMessage(row)
            takeRow(message, 0, message.length)
          }
        },
      })
    },
    close: () => client.end(),
  }
}

const rowMessage = (row: BytesRow): Buffer =>
  Buffer.concat([
    Buffer.alloc(2),
    ...row.flatMap((value) => {
      const size = Buffer.alloc(4)
      size.writeInt32BE(value?.length ?? -1)
      return value === null ? [size] : [size, value]
    }),
  ])
