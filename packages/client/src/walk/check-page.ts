// Checks that an answer is a page, and the next page of this walk. A walk that ends early must end with an error.
import type { PageProblem } from '../errors/error-parameters.ts'
import { addHashes } from './content-hash.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import type { WalkPosition } from './walk-position.ts'
import type { WalkRequest } from './walk-request.ts'

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
  /** The number of objects in the whole walk. Present in revision 1.0, and in unfiltered snapshots of revision 2.0. */
  readonly totalCount?: string
  /** If true, `totalCount` is a lower bound: there may be more objects. */
  readonly totalCountIsLowerBound?: boolean
  /** The version of the object type that the page shows: in snapshot mode, that of the whole walk. */
  readonly version?: string
  /** Names the state that the walk has shown, to read others in it. Present on the last page in snapshot mode only. */
  readonly snapshotToken?: string
  /** Of the versions of an object, and of commits: the oldest state that can be read. Nothing is known of what ended before it. */
  readonly oldestReadable?: { readonly version: string; readonly committedAt: string }
  /** The checksum of all objects, where the walk returns all of them. The walk has compared it. */
  readonly checksum?: string
}

/** The reader of a walk should know that others wrote meanwhile, or that the limit of a list will end it. */
export type WalkNotice =
  | {
      readonly kind: 'changed'
      readonly fromVersion: string
      readonly toVersion: string
      readonly message: string
    }
  | { readonly kind: 'limit'; readonly limit: number; readonly totalCount: string; readonly message: string }

/** The most objects of a list in revision 1.0 (P70). */
const listLimit = 10_000

/** The notices about the page that was read at this position. */
export function noticeOf(
  walk: WalkRequest,
  at: WalkPosition,
  { page, next }: { readonly page: Page<unknown>; readonly next: WalkPosition },
): WalkNotice | undefined {
  const { totalCount = '', totalCountIsLowerBound, version } = page
  if (walk.kind === 'list' && at.pages === 0 && (Number(totalCount) > listLimit || totalCountIsLowerBound)) {
    const message = `The list has ${totalCount} objects or more, and will end with an error after ${listLimit}: read the type through an API family, which has no limit.`
    return { kind: 'limit', limit: listLimit, totalCount, message }
  }
  if (walk.snapshot || !next.ended || version === undefined || !differ(version, at.version)) return undefined
  const message = `Others wrote during the walk, which began at version ${at.version ?? ''} and ended at version ${version}, so what it returned is not one state. Use snapshot: true for that.`
  return { kind: 'changed', fromVersion: at.version ?? '', toVersion: version, message }
}

/** Checks the page and returns the position after it. */
export function checkPage(walk: WalkRequest, at: WalkPosition, body: unknown): WalkPosition {
  const page = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const { data } = page
  if (!Array.isArray(data)) throw invalidPage('dataMissing', walk, at)
  const pageToken = tokenOf(page['nextPageToken'], walk, at)
  if (data.length === 0 && pageToken !== undefined) throw invalidPage('emptyWithToken', walk, at)
  const objects = at.objects + data.length
  const facts = walk.snapshot ? snapshotFacts(page, walk, at) : beginning(page, at)
  const totalCount = at.continuations === undefined ? (facts.totalCount ?? at.totalCount) : undefined
  const checksum = showsAll(walk) && at.checksum !== undefined ? addHashes(at.checksum, data) : undefined
  if (pageToken !== undefined) {
    const { checksum: _, ...after } = afterToken(walk, at, pageToken)
    return { ...after, ...facts, objects, ...(checksum !== undefined && { checksum }) }
  }
  if (totalCount !== undefined && totalCount !== String(objects)) {
    throw new OctavoError({
      errorName: 'IncompleteWalk',
      parameters: { expected: totalCount, received: objects },
      sentence: `The walk ended after ${objects} objects, but its snapshot has ${totalCount}. Something between this client and the service lost or repeated a page, or the caller's rights changed meanwhile. Start the walk again.`,
    })
  }
  const expected = page['checksum']
  if (checksum !== undefined && typeof expected === 'string' && checksum !== expected) {
    throw new OctavoError({
      errorName: 'IncompleteWalk',
      parameters: {
        expected: totalCount ?? '',
        received: objects,
        checksum: { expected, received: checksum },
      },
      sentence: `The ${objects} objects of the walk are not those of its snapshot: their checksum is ${checksum}, that of the snapshot ${expected}. Something between this client and the service changed, lost or repeated an object. Start the walk again.`,
    })
  }
  return {
    ended: true,
    pages: at.pages + 1,
    objects,
    ...(checksum !== undefined && { checksum }),
    ...(at.continuations !== undefined && { continuations: at.continuations }),
  }
}

/** Whether the walk returns all objects, each whole, so that its last page may have a checksum (P251). */
function showsAll(walk: WalkRequest): boolean {
  if (walk.kind !== 'search' || !walk.snapshot) return false
  const { query, select } = walk.body
  return select === undefined && (query as { readonly type?: unknown } | undefined)?.type === 'empty'
}

/**
 * The position that this token leads to. A repeated token is detected by comparing it with the token that was sent, and with
 * a mark that moves ahead at every power of two: so a loop of any length is noticed, and only one token is kept (Brent).
 */
export function afterToken(walk: WalkRequest, at: WalkPosition, pageToken: string): WalkPosition {
  if (pageToken === at.pageToken || pageToken === at.mark) throw invalidPage('repeatedToken', walk, at)
  const pages = at.pages + 1
  const mark = Number.isInteger(Math.log2(pages)) ? pageToken : at.mark
  return { ...at, pages, pageToken, ...(mark !== undefined && { mark }) }
}

export function tokenOf(token: unknown, walk: WalkRequest, at: WalkPosition): string | undefined {
  if (token === undefined || (token === null && walk.nullEnds)) return undefined
  if (typeof token !== 'string' || token === '') throw invalidPage('tokenUnusable', walk, at)
  return token
}

function snapshotFacts(
  { totalCount, totalCountIsLowerBound, version }: Readonly<Record<string, unknown>>,
  walk: WalkRequest,
  at: WalkPosition,
): Pick<WalkPosition, 'totalCount' | 'version'> {
  const facts = {
    ...(typeof totalCount === 'string' && totalCountIsLowerBound !== true && { totalCount }),
    ...(typeof version === 'string' && { version }),
  }
  if (differ(facts.version, at.version) || differ(facts.totalCount, at.totalCount)) {
    throw invalidPage('snapshotChanged', walk, at)
  }
  return facts
}

/** In default mode pages may be of different versions; the first one tells whether others wrote meanwhile. */
function beginning(
  { version }: Readonly<Record<string, unknown>>,
  at: WalkPosition,
): Pick<WalkPosition, 'totalCount' | 'version'> {
  const first = at.version ?? version
  return typeof first === 'string' ? { version: first } : {}
}

/** A server may omit either value from some pages, so absent values never differ. */
export const differ = (now: string | undefined, before: string | undefined): boolean =>
  now !== undefined && before !== undefined && now !== before

const sentences: Readonly<Record<PageProblem, string>> = {
  dataMissing: 'has no list `data`',
  tokenUnusable: 'has a `nextPageToken` that is empty or not a string',
  emptyWithToken: 'is empty although it has a `nextPageToken`',
  repeatedToken: 'leads back to a page that was already read',
  snapshotChanged: 'is from another snapshot than the pages before it',
  changeUnknown: 'has a change that is neither a put nor a delete of an object',
  stateMisplaced: 'has not exactly one of `nextPageToken` and `snapshotToken`',
}

export const invalidPage = (problem: PageProblem, { path }: WalkRequest, { pages }: WalkPosition) =>
  new OctavoError({
    errorName: 'InvalidPage',
    parameters: { problem },
    sentence: `Page ${pages + 1} of ${path} ${sentences[problem]}, so the walk stopped: it could be incomplete. The fault is in the server or in a proxy in front of it.`,
  })
