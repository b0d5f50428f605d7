// Walks a collection as a client does, and checks every page against the rules of the envelope.
import type { Collection, PageAsk, Revision } from './page-revisions.ts'
import type { TestService } from './start-test-service.ts'

interface WireRecord {
  readonly properties: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

export interface WirePage {
  readonly data: readonly WireRecord[]
  readonly nextPageToken?: string
  readonly totalCount?: string
  readonly version?: string
  readonly snapshotToken?: string
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** What an answer with 200 says; any other answer fails the test. */
export async function contentOf<Content>(answer: Answer | Promise<Answer>): Promise<Content> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Content
}

export interface HttpWalk {
  readonly pages: readonly WirePage[]
  readonly records: readonly WireRecord[]
}

export interface HttpWalkOptions extends Omit<PageAsk, 'pageSize' | 'pageToken'> {
  /** Called for every page; without it no page size is sent. */
  readonly pageSize?: () => number | undefined
  readonly afterPage?: (page: WirePage, number: number) => Promise<void>
  /** Whether objects that a page promised may be deleted before they are read: then the last page may be empty (P5). */
  readonly restMayGo?: boolean
}

type Fetches = Pick<TestService, 'fetch'>

export async function askForPage(
  service: Fetches,
  revision: Revision,
  collection: Collection,
  ask: PageAsk = {},
): Promise<Answer> {
  const { path, init } = revision.call(collection, ask)
  const response = await service.fetch(path, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Returns the page, or throws an error that shows the answer. */
export async function readPage(
  service: Fetches,
  revision: Revision,
  collection: Collection,
  ask: PageAsk = {},
): Promise<WirePage> {
  return contentOf<WirePage>(askForPage(service, revision, collection, ask))
}

export async function walkOverHttp(
  service: Fetches,
  revision: Revision,
  collection: Collection,
  { pageSize, afterPage, restMayGo = false, ...ask }: HttpWalkOptions = {},
): Promise<HttpWalk> {
  const pages: WirePage[] = []
  let pageToken: string | undefined
  do {
    const asked = pageSize?.()
    const page = await readPage(service, revision, collection, { ...ask, pageSize: asked, pageToken })
    checkEnvelope(page, { asked, revision, mayBeEmpty: restMayGo || pages.length === 0 })
    pages.push(page)
    pageToken = page.nextPageToken
    await afterPage?.(page, pages.length)
  } while (pageToken !== undefined)
  return { pages, records: pages.flatMap((page) => page.data) }
}

interface Expectation {
  readonly asked: number | undefined
  readonly revision: Revision
  readonly mayBeEmpty: boolean
}

/** Checks P1 to P5, P10, P19 and P20 on every page of every walk. */
function checkEnvelope(page: WirePage, { asked, revision, mayBeEmpty }: Expectation): void {
  const problems: string[] = []
  const { data, nextPageToken } = page
  if (!Array.isArray(data)) problems.push('data is not an array')
  if ('nextPageToken' in page && !/^[A-Za-z0-9_-]{1,8192}$/.test(String(nextPageToken))) {
    problems.push(`nextPageToken is ${JSON.stringify(nextPageToken)}`)
  }
  if (data.length === 0 && nextPageToken !== undefined) problems.push('a page is empty although more exist')
  if (data.length === 0 && !mayBeEmpty) problems.push('a page after the first is empty')
  const most = Math.min(asked ?? revision.sizes.default, revision.sizes.maximum)
  if (data.length > most) problems.push(`${data.length} objects, more than ${most}`)
  if (problems.length > 0) throw new Error(problems.join('; '))
}
