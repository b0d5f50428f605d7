// Reads the versions of an object as a client does.
import type { FoundVersion, FoundVersionsPage } from '@octavo/protocol'
import { answerOf } from './answer-of.ts'
import type { Asked } from './changes-over-http.ts'
import { jsonBody } from './page-revisions.ts'

export interface VersionsAsked {
  readonly objectType: string
  readonly apiFamily?: string
  readonly asks: Readonly<Record<string, unknown>>
}

export const askForVersions = (service: Asked, { objectType, apiFamily = 'promised', asks }: VersionsAsked) =>
  answerOf(service, `/api/${apiFamily}/v1/objects/types/${objectType}/versions`, jsonBody(asks))

export async function readVersionsPage(service: Asked, asked: VersionsAsked): Promise<FoundVersionsPage> {
  const answer = await askForVersions(service, asked)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return JSON.parse(answer.text) as FoundVersionsPage
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
): Promise<readonly FoundVersionsPage[]> {
  const pages: FoundVersionsPage[] = []
  let pageToken: string | undefined
  do {
    if (pageToken !== undefined) await betweenPages?.()
    const page = await readVersionsPage(service, { ...asked, asks: { ...asked.asks, pageToken, pageSize } })
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

export const versionsIn = (pages: readonly FoundVersionsPage[]): readonly FoundVersion[] =>
  pages.flatMap(({ data }) => data)

/** The record that stands at this version by the list, as a walk of that state would show it; undefined if there is none. */
export function standingAt(versions: readonly FoundVersion[], version: string): object | undefined {
  const at = BigInt(version)
  const found = versions.filter(
    (one) => BigInt(one.version) <= at && (one.untilVersion === undefined || at < BigInt(one.untilVersion)),
  )
  if (found.length > 1) throw new Error(`Two versions stand at ${version}.`)
  const [one] = found
  if (one?.type !== 'put') return undefined
  const { type: _type, version: _version, committedAt: _committedAt, untilVersion: _until, ...record } = one
  return record
}
