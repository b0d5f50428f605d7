// What was before: the commits of the type, and the versions of one object.
import { pageSizes, versionsParametersSchema } from '@octavo/protocol'
import { refuse } from './model-refusal.ts'
import { latestVersion, stateAt, timeOf, type ModelStore } from './model-store.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { readSearchAsk } from './read-search-ask.ts'
import { serveList } from './serve-catalog.ts'
import { recordOf, type PageParts } from './serve-page.ts'

const oldestReadable = (store: ModelStore) => ({ version: '0', committedAt: timeOf(store, 0) })

export function serveCommits({ store, box }: PageParts, parameters: URLSearchParams): object {
  const commits = store.commits.map((_, version) => ({
    version: String(version),
    committedAt: timeOf(store, version),
  }))
  return {
    ...serveList('commits', commits.toReversed(), { parameters, box }, pageSizes.search),
    oldestReadable: oldestReadable(store),
  }
}

interface VersionsAsk {
  readonly objectType: string
  readonly primaryKey: string
  readonly parameters: URLSearchParams
}

export function serveVersions(
  { steps, store, box }: PageParts,
  { objectType, primaryKey, parameters }: VersionsAsk,
): object {
  refuseUnknown([...parameters.keys()], Object.keys(versionsParametersSchema.properties))
  const pageToken = parameters.get('pageToken')
  const size = steps.pageSizeOf(
    Number(parameters.get('pageSize') ?? pageSizes.search.default),
    pageSizes.search,
  )
  const opened = pageToken == null ? undefined : box.open(pageToken)
  const { newest, from, name } = (opened ?? {
    newest: latestVersion(store),
    from: 0,
    name: primaryKey,
  }) as { newest: number; from: number; name: string }
  if ((pageToken != null && opened === undefined) || name !== primaryKey)
    return refuse('InvalidPageToken', { reason: 'malformed' })
  const all = steps.versionsOf(store, primaryKey, newest)
  if (all.length === 0) return refuse('ObjectNotFound', { objectType, primaryKey })
  const ask = {
    ...readSearchAsk(objectType, JSON.stringify({ query: { type: 'empty' } })),
    select: parameters.get('select')?.split(','),
  }
  const end = from + size
  return {
    data: all.slice(from, end).map(({ type, version, until }) => {
      const object = stateAt(store, version).get(primaryKey)
      return {
        type,
        version: String(version),
        committedAt: timeOf(store, version),
        ...(until !== undefined && { untilVersion: String(until) }),
        ...(object !== undefined && { object: recordOf(ask, object) }),
      }
    }),
    ...(end < all.length && { nextPageToken: box.seal({ newest, from: end, name }) }),
    version: String(newest),
    oldestReadable: oldestReadable(store),
  }
}
