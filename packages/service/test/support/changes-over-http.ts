// Reads states and the changes between them as a client does, and applies the one to the other.
import type { Change, ChangesPage } from '@octavo/protocol'
import { answerOf } from './answer-of.ts'
import { jsonBody } from './page-revisions.ts'
import { sealerWith } from './reseal-token.ts'
import type { PromisedService } from './serve-on-fresh-database.ts'
import type { TestService } from './start-test-service.ts'
import { contentOf, type WirePage } from './walk-over-http.ts'

type Asks = Readonly<Record<string, unknown>>
export type Asked = Pick<TestService, 'fetch'>

/** The objects of a state by their keys, each as its JSON text. */
export type Copy = ReadonlyMap<string, string>

export interface State {
  readonly copy: Copy
  readonly snapshotToken: string
  readonly version: string
}

export interface ChangesOptions {
  readonly objectType: string
  readonly apiFamily?: string
  readonly asks: Asks
  /** Called for every page; without it no page size is sent. */
  readonly pageSize?: () => number
  readonly betweenPages?: () => Promise<void>
}

const pathOf = (apiFamily: string, objectType: string, action: 'changes' | 'search') =>
  `/api/${apiFamily}/v1/objects/types/${objectType}/${action}`

export const askForChanges = (
  service: Asked,
  { objectType, apiFamily = 'promised', asks }: Pick<ChangesOptions, 'objectType' | 'apiFamily' | 'asks'>,
) => answerOf(service, pathOf(apiFamily, objectType, 'changes'), jsonBody(asks))

/** All pages of the changes. */
export async function readChanges(
  service: Asked,
  { pageSize, betweenPages, ...options }: ChangesOptions,
): Promise<readonly ChangesPage[]> {
  const pages: ChangesPage[] = []
  let pageToken: string | undefined
  do {
    const asks = { ...options.asks, pageToken, pageSize: pageSize?.() }
    const page = await contentOf<ChangesPage>(askForChanges(service, { ...options, asks }))
    if ((page.nextPageToken === undefined) === (page.snapshotToken === undefined))
      throw new Error('A page has one of nextPageToken and snapshotToken.')
    pages.push(page)
    pageToken = page.nextPageToken
    if (pageToken !== undefined) await betweenPages?.()
  } while (pageToken !== undefined)
  return pages
}

/** A walk of one state, named or the latest. */
export async function readState(
  service: Asked,
  { objectType, apiFamily = 'promised', asks }: Pick<ChangesOptions, 'objectType' | 'apiFamily' | 'asks'>,
): Promise<State> {
  const copy = new Map<string, string>()
  let pageToken: string | undefined
  for (;;) {
    const search = { query: { type: 'empty' }, pageSize: 1_000, snapshot: true, ...asks, pageToken }
    const page = await contentOf<WirePage>(
      answerOf(service, pathOf(apiFamily, objectType, 'search'), jsonBody(search)),
    )
    for (const object of page.data) copy.set(String(object['primaryKey']), JSON.stringify(object))
    pageToken = page.nextPageToken
    if (pageToken === undefined)
      return { copy, snapshotToken: page.snapshotToken ?? '', version: page.version ?? '' }
  }
}

export const changesOf = (pages: readonly ChangesPage[]): readonly Change[] =>
  pages.flatMap(({ data }) => data)

/** The copy with the changes applied. Fails where an object is named twice, or deleted though it is not there. */
export function applied(copy: Copy, pages: readonly ChangesPage[]): Copy {
  const after = new Map(copy)
  const named = new Set<string>()
  for (const change of changesOf(pages)) {
    if (named.has(change.primaryKey)) throw new Error(`${change.primaryKey} is named twice.`)
    named.add(change.primaryKey)
    if (change.type === 'put') after.set(change.primaryKey, JSON.stringify(change.object))
    else if (!after.delete(change.primaryKey)) throw new Error(`${change.primaryKey} was not there.`)
  }
  return after
}

export const sorted = (copy: Copy): readonly string[] =>
  [...copy].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)

/** The token of a version, as the service gives it to a caller that may read everything. */
export async function tokenOf(
  { store, ontology }: Pick<PromisedService, 'store' | 'ontology'>,
  objectType: string,
  version = '0',
): Promise<string> {
  const type = await store.catalog.objectType(ontology, objectType)
  if (type === undefined) throw new Error(`no type ${objectType}`)
  const [commit] = await store.database.rows({
    text: `select tag from ${type.tables.commits} where object_type = $1 and version = $2`,
    values: [type.id, version],
  })
  const versions = new Map([[type.id, { version, tag: commit?.['tag'] ?? '' }]])
  return sealerWith().sealSnapshot({ ontologyRid: ontology.rid, versions })
}
