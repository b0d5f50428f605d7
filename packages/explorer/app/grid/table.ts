// The table that is shown: one state of a type, its walk, and how many objects match.
import type { OrderKey, Query } from '@octavo/client'
import { signal, type ReadonlySignal } from '@preact/signals'
import { askWith, failureOf, octavoTimed, type Failure } from '../service/api.ts'
import type { PageTiming } from '../service/page-timing.ts'
import { readingOf, rowsFromService, type Reading } from './reading.ts'

export interface TableRequest {
  readonly family: string
  readonly type: string
  readonly query: Query | undefined
  readonly order: readonly OrderKey[]
  /** Absent for the latest state. */
  readonly at: string | undefined
}

export interface Table {
  readonly request: TableRequest
  readonly snapshotToken: string
  readonly reading: Reading
  /** Until then at least, the state can be read; unknown for one that the address named. */
  readonly readableUntil: string | undefined
  /** Of the page that was read last. */
  readonly timing: ReadonlySignal<PageTiming | undefined>
}

export type TableState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly table: Table }
  | { readonly kind: 'failed'; readonly failure: Failure }

export const tableState = signal<TableState>({ kind: 'opening' })

let opened = 0

export const closeTable = (): void => {
  opened += 1
  if (tableState.value.kind === 'open') tableState.value.table.reading.dispose()
}

/** Opens the table of this request. The one before stays in sight until then, so that nothing flickers. */
export async function openTable(request: TableRequest): Promise<void> {
  closeTable()
  const turn = opened
  const { family, type, at } = request
  try {
    const timing = signal<PageTiming>()
    const client = octavoTimed((next) => {
      timing.value = next
    })
    // A filter that follows links needs the state of the other types, too.
    const types = request.query !== undefined && followsLinks(request.query) ? undefined : [type]
    const snapshot = at === undefined ? await client.family(family).snapshot(types) : undefined
    if (turn !== opened) return
    const snapshotToken = at ?? snapshot?.snapshotToken ?? ''
    const reading = readingOf(rowsFromService(client, { ...request, snapshotToken }))
    reading.need(0, 0)
    if (request.query !== undefined) void count(request.query, { ...request, snapshotToken, reading })
    tableState.value = {
      kind: 'open',
      table: { request, snapshotToken, reading, readableUntil: snapshot?.readableUntil, timing },
    }
  } catch (error) {
    if (turn === opened) tableState.value = { kind: 'failed', failure: failureOf(error) }
  }
}

function followsLinks(query: Query): boolean {
  switch (query.type) {
    case 'linked':
      return true
    case 'and':
    case 'or':
      return query.value.some(followsLinks)
    case 'not':
      return followsLinks(query.value)
    default:
      return false
  }
}

interface Counting {
  readonly family: string
  readonly type: string
  readonly snapshotToken: string
  readonly reading: Reading
}

/** A walk with a filter does not say how many objects it has, so they are counted in the same state, beside it. */
async function count(query: Query, { family, type, snapshotToken, reading }: Counting): Promise<void> {
  const path = `/api/${encodeURIComponent(family)}/v1/objects/types/${encodeURIComponent(type)}/count`
  const answer = await askWith<{ readonly totalCount: string; readonly totalCountIsLowerBound?: boolean }>(
    path,
    {
      query,
      snapshotToken,
    },
  ).catch(() => undefined)
  if (answer !== undefined) reading.counted(Number(answer.totalCount), answer.totalCountIsLowerBound !== true)
}
