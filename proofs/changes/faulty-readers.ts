// Readers with faults that followers of other systems have. Each reads a difference as the service gives it, and spoils it.
import { setTimeout as sleep } from 'node:timers/promises'
import { readChanges, readState } from '../../packages/service/test/support/changes-over-http.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { apiFamily, readDifference, type ReadDifference } from '../harness/known-states.ts'

export function faultyReaders(
  { store, ontology }: Pick<ServedCollection, 'store' | 'ontology'>,
  objectType: string,
): Readonly<Record<string, ReadDifference>> {
  const latest = (service: Parameters<ReadDifference>[0]['service']) =>
    readState(service, { objectType, apiFamily, asks: {} })

  /** What was committed after a time, by the clock of the database: a commit is seen only after its time. */
  const byTime = async (seconds: number): Promise<ReadonlySet<string>> => {
    const type = await store.catalog.objectType(ontology, objectType)
    if (type === undefined) throw new Error(`no type ${objectType}`)
    const rows = await store.database.rows({
      text: `select distinct pk from ${type.tables.changes} c join ${type.tables.commits} m
on m.object_type = $1 and m.version = c.version and m.committed_at > to_timestamp($2::double precision) at time zone 'UTC'`,
      values: [type.id, seconds],
    })
    return new Set(rows.map(({ pk }) => pk ?? ''))
  }
  const now = async (): Promise<number> => {
    const [row] = await store.database.rows({
      text: 'select extract(epoch from clock_timestamp()) as now',
      values: [],
    })
    return Number(row?.['now'])
  }
  let since = 0

  return {
    'it forgets deletions': async (reader, earlier) => {
      const { pages, snapshotToken } = await readDifference(reader, earlier)
      const kept = pages.map((page) => ({ ...page, data: page.data.filter(({ type }) => type === 'put') }))
      return { pages: kept, snapshotToken }
    },
    'its end moves from page to page': async (reader, earlier) => {
      const asks = { fromSnapshotToken: earlier.snapshotToken }
      const { service } = reader
      const options = { objectType, apiFamily, asks, pageSize: () => 3 }
      const first = await readChanges(service, options)
      await sleep(60)
      const second = await readChanges(service, options)
      // Its first page leads to one state, the others to another.
      const pages = [...first.slice(0, 1), ...second.slice(1, -1), ...first.slice(-1)]
      return { pages, snapshotToken: first.at(-1)?.snapshotToken ?? '' }
    },
    'it takes its position from what it has read last, not from the service': async (reader, earlier) => {
      const { pages } = await readDifference(reader, earlier)
      await sleep(60)
      const { snapshotToken, version } = await latest(reader.service)
      return { pages: pages.map((page) => ({ ...page, toVersion: version })), snapshotToken }
    },
    'it asks for what has changed since a time': async (reader, earlier) => {
      const from = since
      const { pages, snapshotToken } = await readDifference(reader, earlier)
      since = await now()
      if (from === 0) return { pages, snapshotToken }
      const changedSince = await byTime(from)
      const kept = pages.map((page) => ({
        ...page,
        data: page.data.filter(({ primaryKey }) => changedSince.has(primaryKey)),
      }))
      return { pages: kept, snapshotToken }
    },
  }
}
