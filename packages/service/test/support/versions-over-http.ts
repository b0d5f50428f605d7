// Reads the versions of an object as a client does.
import type { ObjectVersion, ObjectVersionsPage } from '@octavo/protocol'
import { answerOf } from './answer-of.ts'
import type { Asked } from './changes-over-http.ts'
import { contentOf } from './walk-over-http.ts'

export interface VersionsAsked {
  readonly objectType: string
  readonly apiFamily?: string
  readonly asks: Readonly<Record<string, unknown>> & { readonly primaryKey: string }
}

export function askForVersions(
  service: Asked,
  { objectType, apiFamily = 'promised', asks: { primaryKey, ...asks } }: VersionsAsked,
): ReturnType<typeof answerOf> {
  const given = Object.entries(asks).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  const object = `/api/${apiFamily}/v1/objects/types/${objectType}/objects/${encodeURIComponent(primaryKey)}`
  return answerOf(service, `${object}/versions?${query.toString()}`)
}

export async function readVersionsPage(service: Asked, asked: VersionsAsked): Promise<ObjectVersionsPage> {
  return contentOf<ObjectVersionsPage>(askForVersions(service, asked))
}

export async function readVersions(
  service: Asked,
  {
    pageSize = 100,
    betweenPages,
    ...asked
  }: VersionsAsked & {
    readonly pageSize?: number
    readonly betweenPages?: () => Promise<unknown>
  },
): Promise<readonly ObjectVersionsPage[]> {
  const pages: ObjectVersionsPage[] = []
  let pageToken: string | undefined
  do {
    if (pageToken !== undefined) await betweenPages?.()
    const page = await readVersionsPage(service, { ...asked, asks: { ...asked.asks, pageToken, pageSize } })
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

export const versionsIn = (pages: readonly ObjectVersionsPage[]): readonly ObjectVersion[] =>
  pages.flatMap(({ data }) => data)

/** The record that stands at this version by the list, as a walk of that state would show it; undefined if there is none. */
export function standingAt(versions: readonly ObjectVersion[], version: string): object | undefined {
  const at = BigInt(version)
  const found = versions.filter(
    (one) => BigInt(one.version) <= at && (one.untilVersion === undefined || at < BigInt(one.untilVersion)),
  )
  if (found.length > 1) throw new Error(`Two versions stand at ${version}.`)
  const [one] = found
  return one?.type === 'put' ? one.object : undefined
}
