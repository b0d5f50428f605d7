// Reading all pages of a request.
import type { Answer, Page, Refusal } from '../answers.ts'
import type { Caller, Request } from '../ask.ts'
import type { TypeName } from '../history.ts'
import type { Run } from '../run.ts'

/** What may end a read while others write, instances are restarted and the retention is short. */
const mayEndRead = new Set([
  'ConsistentSnapshotError',
  'SnapshotTooOld',
  'ChangesExpired',
  'InvalidPageToken',
])

export function mayEnd({ count, violation }: Run, request: Request, refusal: Refusal): void {
  const { errorName = '', parameters } = refusal
  count(`read ended by ${errorName} ${parameters?.reason ?? ''}`)
  if (!mayEndRead.has(errorName)) violation('a read was refused', { request, refusal })
}

/** The JSON of an answer; undefined if it is refused for a reason that may be. */
export async function answered<T>(run: Run, caller: Caller, request: Request): Promise<T | undefined> {
  const answer = await run.ask<T>(caller, request)
  if (answer.isDone) return answer.json
  mayEnd(run, request, answer.refusal)
  return undefined
}

export interface Walk<P> {
  readonly caller: Caller
  readonly request: (pageToken: string | undefined) => Request
  /** To continue somewhere. */
  readonly from?: string | undefined
  /** Whether each page may show a later version than the one before it. */
  readonly isDefaultMode?: true
  readonly rest?: () => Promise<void>
  readonly onPage?: (page: P) => void
  /** Says that it has dealt with a refusal. */
  readonly onRefusal?: (refusal: Refusal) => Promise<boolean>
}

export interface Walked<Item, P> {
  readonly items: readonly Item[]
  readonly first: P
  readonly last: P
}

/** All records and the last page, which is the one without a token; undefined if it ended for a reason that may be. */
export async function allPages<Item, P extends Page<Item> = Page<Item>>(
  run: Run,
  { caller, request, from, isDefaultMode, rest, onPage, onRefusal }: Walk<P>,
): Promise<Walked<Item, P> | undefined> {
  const items: Item[] = []
  let pageToken = from
  let version: string | undefined
  let first: P | undefined
  for (;;) {
    const asked = request(pageToken)
    const answer: Answer<P> = await run.ask<P>(caller, asked)
    if (!answer.isDone) {
      const { refusal } = answer
      if (refusal.errorName === 'ScanTimedOut' && refusal.parameters?.pageToken !== undefined) {
        pageToken = refusal.parameters.pageToken
        continue
      }
      if (!(await onRefusal?.(refusal))) mayEnd(run, asked, refusal)
      return undefined
    }
    const page = answer.json
    items.push(...page.data)
    onPage?.(page)
    const [before, now] = [Number(version ?? page.version), Number(page.version)]
    if (isDefaultMode ? now < before : now > before || now < before)
      run.violation('the version changed within a walk', { asked, before, now })
    version ??= page.version
    first ??= page
    pageToken = page.nextPageToken
    if (pageToken === undefined) return { items, first, last: page }
    if (page.data.length === 0) run.violation('a page is empty, and more exist', { asked })
    await rest?.()
  }
}

export const search = (
  run: Run,
  type: TypeName,
  body: () => object,
  what = 'search',
): ((pageToken: string | undefined) => Request) => {
  const path = `${run.paths.typed(type)}/${what}`
  return (pageToken) => ({ method: 'POST', path, body: { ...body(), pageToken } })
}
