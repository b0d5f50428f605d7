// Reads what is different between two states, page by page, and applies it to a copy as a client does.
import { changesPageSchema, type Change, type ChangesPage } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { changesRequest, type ChangesAsk } from './page-request.ts'
import { difference } from './read-walk.ts'
import { keyOf, type Subject } from './subject.ts'
import { demandTokenText, isMissing, requireSnapshotTokens, takeSnapshot } from './take-snapshot.ts'
import type { WireRecord } from './wire-page.ts'

export interface Difference {
  readonly pages: readonly ChangesPage[]
  readonly changes: readonly Change[]
  readonly fromVersion: string
  readonly toVersion: string
  readonly snapshotToken: string
  readonly last: Exchange
}

export interface ChangesOptions {
  /** The clause that is broken if a page is refused. */
  readonly clause: string
  readonly ask: Omit<ChangesAsk, 'pageToken'>
  /** Called after each page that has a token. */
  readonly betweenPages?: (pagesRead: number) => Promise<void>
}

const mostPages = 500

export async function readChanges(subject: Subject, options: ChangesOptions): Promise<Difference> {
  const { clause, ask, betweenPages } = options
  const pages: ChangesPage[] = []
  for (let pageToken: string | undefined; ;) {
    const { page, exchange } = await readChangesPage(subject, clause, { ...ask, pageToken })
    pages.push(page)
    demandSameVersions(pages, exchange)
    const { snapshotToken, fromVersion, toVersion } = page
    pageToken = page.nextPageToken
    if (snapshotToken !== undefined) {
      const changes = pages.flatMap(({ data }) => data)
      demandEachOnce(changes, exchange)
      return { pages, changes, fromVersion, toVersion, snapshotToken, last: exchange }
    }
    demand(pages.length < mostPages, { clause, expected: `an end within ${mostPages} pages`, exchange })
    await betweenPages?.(pages.length)
  }
}

const shape = Compile(changesPageSchema)

/** One page, with what must be true of each. */
export async function readChangesPage(
  { collection, send }: Subject,
  clause: string,
  ask: ChangesAsk,
): Promise<{ readonly page: ChangesPage; readonly exchange: Exchange }> {
  const exchange = await send(changesRequest(collection, ask))
  const { status, body } = exchange
  demand(status === 200, {
    clause,
    expected: isMissing(exchange)
      ? '200 and the changes: every server has this endpoint, and without it a copy has to be read again as a whole'
      : '200 and the changes',
    exchange,
  })
  demand(shape.Check(body), {
    // An answer to a request that waits has the same shape as any other.
    clause: ask.waitSeconds === undefined ? 'P270' : 'P276',
    expected: 'data with puts and deletes, and fromVersion and toVersion as strings of digits',
    exchange,
  })
  const { nextPageToken, snapshotToken } = body
  demand((nextPageToken === undefined) !== (snapshotToken === undefined), {
    clause: 'P271',
    expected: 'either nextPageToken or, on the last page, snapshotToken',
    found: nextPageToken === undefined ? 'neither' : 'both',
    exchange,
  })
  if (snapshotToken !== undefined) demandTokenText(snapshotToken, exchange)
  return { page: body, exchange }
}

function demandSameVersions(pages: readonly ChangesPage[], exchange: Exchange): void {
  for (const field of ['fromVersion', 'toVersion'] as const) {
    const [first, last] = [pages[0]?.[field], pages.at(-1)?.[field]]
    demand(first === last, {
      clause: 'P270',
      expected: `${field} ${shown(first)} as on the first page`,
      found: shown(last),
      exchange,
    })
  }
}

function demandEachOnce(changes: readonly Change[], exchange: Exchange): void {
  const keys = changes.map(({ primaryKey }) => primaryKey)
  const named = [...new Set(keys)]
  demand(named.length === keys.length, {
    clause: 'P270',
    expected: 'each object at most once',
    found: difference(keys, named),
    exchange,
  })
}

/** The properties of objects by their keys. */
export type Copy = ReadonlyMap<string, WireRecord['properties']>

/** A copy of the objects with these properties. */
export const copyOf = (subject: Subject, objects: readonly WireRecord['properties'][]): Copy =>
  new Map(objects.map((properties) => [String(keyOf(subject, { properties })), properties]))

export function applied(copy: Copy, changes: readonly Change[]): Copy {
  const after = new Map(copy)
  for (const change of changes) {
    if (change.type === 'put') after.set(change.primaryKey, change.object.properties)
    else after.delete(change.primaryKey)
  }
  return after
}

/** Demands that both copies have the same objects with the same values. */
export function demandCopy(clause: string, copy: Copy, expected: Copy, exchange: Exchange): void {
  const foreign = [...copy.keys()].filter((key) => !expected.has(key))
  const keys = [...[...expected.keys()].filter((key) => copy.has(key)), ...foreign]
  const other = [...expected].find(([key, properties]) => sorted(copy.get(key) ?? {}) !== sorted(properties))
  demand(foreign.length === 0 && other === undefined, {
    clause,
    expected: `changes that make the ${expected.size} objects of the later state out of those of the earlier one`,
    found:
      difference(keys, [...expected.keys()]) ?? `${shown(other?.[0])} with other values than were written`,
    exchange,
  })
}

const sorted = (properties: WireRecord['properties']): string =>
  JSON.stringify(Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The snapshot token of the latest state, as the changes up to it end with. */
export async function latestState(subject: Subject, clause: string): Promise<string> {
  const { token: since } = await takeSnapshot(subject, clause)
  return (await readChanges(subject, { clause, ask: { since } })).snapshotToken
}

/** Skips the case if the server has no changes at all, which the first case of each of their clauses reports. */
export async function requireChanges(subject: Subject): Promise<void> {
  await requireSnapshotTokens(subject)
  const exchange = await subject.send(changesRequest(subject.collection, {}))
  if (isMissing(exchange)) skip(`needs changes: the server does not know POST ${exchange.sent.path}`)
}
